import { History } from 'lucide-react'
import { formatDateTime } from '../../lib/dates.ts'
import type { KeptDraft } from '../../lib/kept-drafts.ts'
import { words } from './words.ts'

/** Says that a form opened with what was typed before. */
export function RestoredNote({ draft, zone }: { readonly draft: KeptDraft | null; readonly zone: string }) {
  if (draft === null) return null
  return (
    <output data-testid="restored-note" className="flex gap-2 rounded-control bg-n3 px-3 py-2 text-sm text-quiet">
      <History aria-hidden className="mt-px size-4 shrink-0" />
      {words.restored(formatDateTime(new Date(draft.at).toISOString(), zone))}
    </output>
  )
}
