/** Whether the sidebar is open, kept in a cookie for the next visit. */
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'

const cookie = 'sidebar_state'
const sevenDays = 60 * 60 * 24 * 7
const phone = window.matchMedia('(max-width: 767.98px)')

const storedOpen = () => !document.cookie.split('; ').includes(`${cookie}=false`)

const useIsPhone = () =>
  useSyncExternalStore(
    (changed) => {
      phone.addEventListener('change', changed)
      return () => phone.removeEventListener('change', changed)
    },
    () => phone.matches,
  )

export function useSidebar() {
  const isPhone = useIsPhone()
  const [isOpen, setOpen] = useState(storedOpen)
  const [isSheetOpen, setSheetOpen] = useState(false)

  const toggle = useCallback(() => {
    if (isPhone) return setSheetOpen((open) => !open)
    setOpen((open) => {
      document.cookie = `${cookie}=${String(!open)}; path=/; max-age=${sevenDays}; samesite=lax`
      return !open
    })
  }, [isPhone])

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'b' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      toggle()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [toggle])

  return { isPhone, isOpen, isSheetOpen, setSheetOpen, toggle }
}
