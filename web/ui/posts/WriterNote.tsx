import { Info } from 'lucide-react'
import type { Written } from '../../lib/writing-events.ts'
import { writerWords as words } from './writer-words.ts'

/** Names the writer, and says plainly when it wasn't a model. */
export function WriterNote({ source }: { readonly source: Written['source'] }) {
  if (source !== 'template') return null
  return (
    <output data-testid="writer-note" className="flex gap-2 rounded-control bg-n3 px-3 py-2 text-sm text-quiet">
      <Info aria-hidden className="mt-px size-4 shrink-0" />
      {words.writtenBuiltIn}
    </output>
  )
}
