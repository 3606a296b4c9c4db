/**
 * Dialogs that come in their own time: fetched once the screen is quiet, so that they open at once, with or without a
 * server.
 */
import { useEffect, useEffectEvent, useState, type ComponentType } from 'react'
import { callWords } from '../lib/call-words.ts'
import { quiet } from './quiet.ts'
import { toast } from './toast.ts'
import { words } from './words.ts'

interface Closable {
  readonly onClose: () => void
}

export function lazyDialog<P extends Closable>(
  load: () => Promise<{ readonly default: ComponentType<P> }>,
): ComponentType<P> {
  let Part: ComponentType<P> | null = null
  const fetchPart = async () => {
    Part ??= (await load()).default
  }
  setTimeout(() => void fetchPart().catch(() => undefined), quiet)

  return function Later(props: P) {
    const [, setHere] = useState(Part !== null)
    const onFailed = useEffectEvent(() => {
      props.onClose()
      toast({
        title: words.couldNotOpen,
        description: callWords.failedImport,
        variant: 'destructive',
      })
    })
    useEffect(() => {
      let isGone = false
      fetchPart().then(
        () => isGone || setHere(true),
        () => isGone || onFailed(),
      )
      return () => {
        isGone = true
      }
    }, [])
    return Part && <Part {...props} />
  }
}
