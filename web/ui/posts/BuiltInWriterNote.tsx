import { useQuery } from '@tanstack/react-query'
import { usageQuery } from '../../lib/queries.ts'
import { writerWords as words } from './writer-words.ts'

/** Says before a text is written that no model writes it. */
export function BuiltInWriterNote() {
  const model = useQuery(usageQuery).data?.model
  if (model !== null) return null
  return (
    <p className="text-sm text-quiet" data-testid="built-in-writer">
      {words.builtIn}
    </p>
  )
}
