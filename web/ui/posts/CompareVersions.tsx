import { useState } from 'react'
import { Select } from '../Select.tsx'
import { Difference } from './Difference.tsx'
import type { Version } from './versions.ts'
import { words } from './history-panel-words.ts'

interface Props {
  readonly versions: readonly Version[]
  /** Whether the post has no earlier ones than these. */
  readonly isWhole: boolean
}

/** Any two of a post's texts beside each other; at first the first and the last. */
export function CompareVersions({ versions, isWhole }: Props) {
  const [from, setFrom] = useState<string | null>(null)
  const [to, setTo] = useState<string | null>(null)
  const find = (id: string | null) => versions.find((version) => version.id === id)
  const before = find(from) ?? versions[0]
  const after = find(to) ?? versions.at(-1)
  if (versions.length < 2 || !before || !after) return null
  return (
    <details className="mb-4 text-sm" data-testid="compare-versions">
      <summary className="w-fit cursor-pointer font-medium text-accent-ink hover:underline">
        {words.compare(versions.length, isWhole)}
      </summary>
      <div className="mt-3 flex flex-col gap-3">
        <Select label={words.before} testId="select-before" options={versions} value={before.id} onChange={setFrom} />
        <Select label={words.after} testId="select-after" options={versions} value={after.id} onChange={setTo} />
        {before.content === after.content ? (
          <p className="text-quiet">{words.same}</p>
        ) : (
          <Difference before={before.content} after={after.content} />
        )}
      </div>
    </details>
  )
}
