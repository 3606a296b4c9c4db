import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { dropDraft, keepDraft, readDraft, type DraftKey, type KeptDraft } from './kept-drafts.ts'
import { userQuery } from './access-queries.ts'
import { useAgency } from './use-agency.ts'

export interface Keeping {
  /** What an earlier visit left here, as it was when the dialog opened. */
  readonly restored: KeptDraft | null
  /** Once what was typed is saved or discarded. */
  readonly drop: () => void
}

/**
 * Keeps what is typed on the device while it is not saved; where that fails, the browser asks before it leaves the
 * page.
 * @param post its id; null: a new one
 */
export function useKeptDraft(client: string, post: string | null): Keeping & { readonly keep: Keep } {
  const user = useQuery(userQuery).data?.id ?? ''
  const agency = useAgency()?.id ?? ''
  // As it was opened: while a session is lost, there is no user.
  const [key] = useState<DraftKey>({ user, agency, client, post })
  const [restored] = useState(() => readDraft(key))
  // Opening a draft is no change of it: it keeps its age.
  const written = useRef(restored && textOf(restored.fields, restored.revision))
  const [isLost, setLost] = useState(false)
  useAskBeforeLeaving(isLost)
  const drop = useCallback(() => {
    setLost(false)
    dropDraft(key)
  }, [key])
  const keep = useCallback<Keep>(
    (fields, revision) => {
      const text = fields && textOf(fields, revision)
      if (text === written.current) return
      written.current = text
      if (fields === null) drop()
      else setLost(!keepDraft(key, { fields, revision }))
    },
    [key, drop],
  )
  return { restored, keep, drop }
}

/**
 * @param fields the text fields by name; null: nothing is typed that isn't saved
 * @param revision of the post that is edited
 */
type Keep = (fields: Readonly<Record<string, string>> | null, revision: number | null) => void

const textOf = (...draft: Parameters<Keep>) => JSON.stringify(draft)

function useAskBeforeLeaving(asks: boolean): void {
  useEffect(() => {
    if (!asks) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [asks])
}
