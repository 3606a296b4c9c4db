import { useQuery } from '@tanstack/react-query'
import type { Usage } from '../../../api/contract/index.ts'
import { formatMonth } from '../../lib/dates.ts'
import { usageQuery } from '../../lib/queries.ts'
import { Card } from '../../ui/Card.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { words } from './words.ts'

/** Shows how many texts were generated for the agency, and the tokens used. */
export function AiWriting() {
  const usage = useQuery(usageQuery)
  return (
    <Card data-testid="card-ai-writing">
      <h2 className="text-lg font-semibold">{words.writing.heading}</h2>
      {usage.isPending && <Skeleton className="mt-3 h-24" />}
      {usage.isError && (
        <LoadError what={words.writing.failed} error={usage.error} onRetry={() => void usage.refetch()} />
      )}
      {usage.data && <Figures usage={usage.data} />}
    </Card>
  )
}

function Figures({ usage: { model, thisMonth, months } }: { readonly usage: Usage }) {
  const now = months.find(({ month }) => month === thisMonth) ?? { month: thisMonth, texts: 0, tokens: 0, writers: [] }
  const shown = [now, ...months.filter(({ month }) => month !== thisMonth)]
  const most = Math.max(1, ...shown.map(({ texts }) => texts))
  const maxTokens = Math.max(1, ...shown.map(({ tokens }) => tokens))
  return (
    <>
      <p className="mt-1 text-quiet">{model === null ? words.writing.notConnected : words.writing.connected(model)}</p>
      <p className="tabular mt-4 text-lg font-medium" data-testid="usage-this-month">
        {words.writing.thisMonth(now.texts, now.tokens)}
      </p>
      {now.writers.length > 1 && (
        <p className="mt-1 text-sm text-quiet">
          {now.writers.map((share) => words.writing.share(share.texts, writerOf(share))).join(', ')}
        </p>
      )}
      {shown.length > 1 && (
        <table className="tabular mt-4 w-full text-sm">
          <caption className="sr-only">{words.writing.tableCaption}</caption>
          <thead className="text-left text-quiet">
            <tr>
              <th scope="col" className="py-1 font-normal">
                {words.writing.month}
              </th>
              <th scope="col" className="py-1 font-normal">
                {words.writing.texts}
              </th>
              <th scope="col" className="py-1 font-normal">
                {words.writing.tokens}
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ month, texts, tokens }) => (
              <tr key={month}>
                <th scope="row" className="py-1 pr-3 text-left font-normal whitespace-nowrap">
                  {formatMonth(month)}
                </th>
                <Bar value={texts} share={texts / most} />
                <Bar value={tokens} share={tokens / maxTokens} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="mt-3 text-sm text-quiet">{words.writing.note}</p>
    </>
  )
}

const writerOf = ({ writer, model }: Usage['months'][number]['writers'][number]) =>
  model ?? (writer === 'template' ? words.writing.builtIn : writer)

/** The figure, and a bar that tells at a glance how it compares. */
function Bar({ value, share }: { readonly value: number; readonly share: number }) {
  return (
    <td className="w-2/5 py-1 pr-4">
      {value.toLocaleString('en-US')}
      <span aria-hidden className="mt-1 block h-1.5 rounded-full bg-n4">
        <span className="block h-1.5 rounded-full bg-accent" style={{ width: `${Math.round(share * 100)}%` }} />
      </span>
    </td>
  )
}
