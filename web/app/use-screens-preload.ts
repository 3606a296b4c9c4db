import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { quiet } from '../ui/quiet.ts'

const screens = ['/clients', '/content', '/calendar', '/analytics', '/billing', '/settings', '/'] as const

/**
 * Loads the program parts of the other screens, one after the other, once the shown screen is quiet: they open at once,
 * and also while the server is away. Not where the user asked the browser to save data.
 */
export function useScreensPreload(): void {
  const router = useRouter()
  useEffect(() => {
    const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } }
    if (connection?.saveData) return
    let isGone = false
    const load = async () => {
      for (const to of screens) if (!isGone) await router.preloadRoute({ to }).catch(() => undefined)
    }
    const timer = setTimeout(() => void load(), quiet)
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [router])
}
