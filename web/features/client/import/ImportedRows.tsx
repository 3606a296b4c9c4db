/** Shows the outcome of each row. */
import { CircleCheck, CircleX, CopyCheck, FilePlus2 } from 'lucide-react'
import { useState } from 'react'
import type { ImportRow } from '../../../../api/contract/index.ts'
import { formatDateTime } from '../../../lib/dates.ts'
import { PlatformIcon } from '../../../ui/PlatformIcon.tsx'
import { words } from './words.ts'

type Verdict = ImportRow['verdict']

const looks: Readonly<Record<Verdict, { readonly icon: typeof CircleX; readonly ink: string; readonly bar: string }>> =
  {
    ready: { icon: FilePlus2, ink: 'text-published-ink', bar: 'bg-published' },
    written: { icon: CircleCheck, ink: 'text-published-ink', bar: 'bg-published' },
    known: { icon: CopyCheck, ink: 'text-quiet', bar: 'bg-n7' },
    refused: { icon: CircleX, ink: 'text-rejected-ink', bar: 'bg-rejected' },
  }
const verdicts = Object.keys(looks) as Verdict[]

interface Props {
  readonly rows: readonly ImportRow[]
  readonly zone: string
}

export function ImportedRows({ rows, zone }: Props) {
  const [only, setOnly] = useState<Verdict | null>(null)
  const counts = verdicts
    .map((verdict) => ({ verdict, count: rows.filter((row) => row.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
  const shown = only === null ? rows : rows.filter(({ verdict }) => verdict === only)
  return (
    <section aria-label={words.rows.label}>
      <div aria-hidden className="flex h-2 gap-0.5 overflow-hidden rounded-full">
        {counts.map(({ verdict, count }) => (
          <div key={verdict} className={looks[verdict].bar} style={{ flexGrow: count }} />
        ))}
      </div>
      <ul className="mt-2.5 flex flex-wrap gap-1.5">
        {counts.map(({ verdict, count }) => {
          const { icon: Icon, ink } = looks[verdict]
          const isOn = only === verdict
          return (
            <li key={verdict}>
              <button
                type="button"
                aria-pressed={isOn}
                onClick={() => setOnly(isOn ? null : verdict)}
                className={`flex h-8 cursor-default items-center gap-1.5 rounded-full border px-3 text-sm ${isOn ? 'border-accent bg-accent-soft' : 'border-line hover:bg-n3'}`}
                data-testid={`import-${verdict}`}
              >
                <Icon aria-hidden className={`size-4 ${ink}`} />
                <span className="tabular font-medium">{count}</span>
                {words.rows[verdict]}
              </button>
            </li>
          )
        })}
      </ul>
      <ol className="mt-3 rounded-control border border-line">
        {shown.map((row) => (
          <RowLine key={row.line} row={row} zone={zone} />
        ))}
      </ol>
    </section>
  )
}

function RowLine({ row, zone }: { readonly row: ImportRow; readonly zone: string }) {
  const { icon: Icon, ink } = looks[row.verdict]
  return (
    <li
      className="flex gap-3 border-b border-line px-3 py-2.5 [contain-intrinsic-height:3.5rem] [content-visibility:auto] last:border-b-0"
      data-testid="import-row"
      data-verdict={row.verdict}
    >
      <span className="tabular w-9 shrink-0 pt-px text-right text-sm text-quiet" title={words.rows.line(row.line)}>
        {row.line}
      </span>
      <span className={`mt-0.5 shrink-0 ${ink}`}>
        <Icon aria-hidden className="size-4" />
        <span className="sr-only">{words.rows[row.verdict]}</span>
      </span>
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate">
          {row.content || <span className="text-quiet">{words.rows.noText}</span>}
        </p>
        <p className="flex flex-wrap items-center gap-x-2 text-sm text-quiet">
          {row.platform && <PlatformIcon platform={row.platform} />}
          {row.accountName && <span dir="auto">{row.accountName}</span>}
          {row.scheduledFor !== null && <span>{formatDateTime(row.scheduledFor, zone)}</span>}
          {row.scheduledFor === null && row.verdict !== 'refused' && <span>{words.rows.noTime}</span>}
        </p>
        {row.sentence !== null && (
          <p className={`text-sm wrap-anywhere ${row.verdict === 'refused' ? 'text-rejected-ink' : 'text-quiet'}`}>
            {row.sentence}
          </p>
        )}
      </div>
    </li>
  )
}
