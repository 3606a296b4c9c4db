import { useQuery } from '@tanstack/react-query'
import type { Usage } from '../../../api/contract/index.ts'
import { formatMonth } from '../../lib/dates.ts'
import { usageQuery } from '../../lib/queries.ts'
import { Card } from '../../ui/Card.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'

/** Shows how many texts were generated for the agency, and the tokens used. */
export function AiWriting() {
  const usage = useQuery(usageQuery)
  return (
    <Card data-testid="card-ai-writing">
      <h2 className="text-lg font-semibold">AI Writing</h2>
      {usage.isPending && <Skeleton className="mt-3 h-24" />}
      {usage.isError && <LoadError what="The figures" error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.data && <Figures usage={usage.data} />}
    </Card>
  )
}

const counted = (count: number, one: string) => `${count.toLocaleString('en-US')} ${count === 1 ? one : `${one}s`}`

function Figures({ usage: { model, thisMonth, months } }: { readonly usage: Usage }) {
  const now = months.find(({ month }) => month === thisMonth) ?? { month: thisMonth, texts: 0, tokens: 0, writers: [] }
  const shown = [now, ...months.filter(({ month }) => month !== thisMonth)]
  const most = Math.max(1, ...shown.map(({ texts }) => texts))
  const maxTokens = Math.max(1, ...shown.map(({ tokens }) => tokens))
  return (
    <>
      <p className="mt-1 text-quiet">
        {model === null
          ? "AI is not connected. The built-in writer composes texts from the client's profile."
          : `Texts are written by ${model}.`}
      </p>
      <p
        className="tabular mt-4 text-lg font-medium"
        data-testid="usage-this-month"
      >{`This month: ${counted(now.texts, 'text')}, ${counted(now.tokens, 'token')}`}</p>
      {now.writers.length > 1 && (
        <p className="mt-1 text-sm text-quiet">
          {now.writers.map((share) => `${counted(share.texts, 'text')} ${whose(share)}`).join(', ')}
        </p>
      )}
      {shown.length > 1 && (
        <table className="tabular mt-4 w-full text-sm">
          <caption className="sr-only">Texts and tokens by month</caption>
          <thead className="text-left text-quiet">
            <tr>
              <th scope="col" className="py-1 font-normal">
                Month
              </th>
              <th scope="col" className="py-1 font-normal">
                Texts
              </th>
              <th scope="col" className="py-1 font-normal">
                Tokens
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
      <p className="mt-3 text-sm text-quiet">
        A month begins and ends at midnight UTC. Counted are the texts that came about, with the tokens that the AI
        service says they took; it may charge for attempts that failed or were cancelled, too.
      </p>
    </>
  )
}

const whose = ({ writer, model }: Usage['months'][number]['writers'][number]) =>
  model === null ? (writer === 'template' ? 'by the built-in writer' : `by ${writer}`) : `by ${model}`

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
