import { useQuery } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import type { Invoice } from '../../../api/contract/index.ts'
import { formatDate } from '../../lib/dates.ts'
import { errorText } from '../../lib/error-text.ts'
import { invoicesQuery } from '../../lib/queries.ts'
import { Badge, type BadgeTone } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { amountWords } from './amount.ts'
import { words } from './words.ts'

const tones: Readonly<Record<Invoice['status'], BadgeTone>> = {
  draft: 'draft',
  open: 'pending',
  paid: 'published',
  uncollectible: 'rejected',
  void: 'draft',
}

export function Invoices({ zone }: { readonly zone: string }) {
  const invoices = useQuery(invoicesQuery)
  return (
    <Card data-testid="card-invoices">
      <h2 className="mb-3 text-lg font-semibold">{words.invoices.heading}</h2>
      {invoices.isPending && (
        <div className="flex flex-col gap-3">
          <output className="sr-only">{words.invoices.loading}</output>
          <Skeleton className="h-9" />
          <Skeleton className="h-9" />
        </div>
      )}
      {invoices.isError && (
        <p role="alert" className="text-quiet">
          {`${words.invoices.failed} ${errorText(invoices.error)} `}
          <Button look="link" size="inline" onPress={() => void invoices.refetch()}>
            {words.invoices.tryAgain}
          </Button>
        </p>
      )}
      {invoices.isSuccess &&
        (invoices.data.length === 0 ? (
          <p className="text-quiet">{words.invoices.empty}</p>
        ) : (
          <Table invoices={invoices.data} zone={zone} />
        ))}
    </Card>
  )
}

const head = 'pb-2 text-left text-sm font-medium text-quiet'
const cell = 'border-t border-line py-2.5 align-middle'

function Table({ invoices, zone }: { readonly invoices: readonly Invoice[]; readonly zone: string }) {
  return (
    <table className="tabular w-full">
      <thead>
        <tr>
          <th scope="col" className={head}>
            {words.invoices.date}
          </th>
          <th scope="col" className={`${head} pr-6 text-right!`}>
            {words.invoices.amount}
          </th>
          <th scope="col" className={head}>
            {words.invoices.status}
          </th>
          <th scope="col" className={`${head} text-right!`}>
            {words.invoices.invoice}
          </th>
        </tr>
      </thead>
      <tbody>
        {invoices.map((invoice) => (
          <tr key={invoice.id} data-testid="invoice">
            <td className={cell}>{formatDate(invoice.date, zone)}</td>
            <td className={`${cell} pr-6 text-right`}>{amountWords(invoice)}</td>
            <td className={cell}>
              <Badge tone={tones[invoice.status]}>{words.invoices.statuses[invoice.status]}</Badge>
            </td>
            <td className={`${cell} text-right`}>
              <Paper invoice={invoice} day={formatDate(invoice.date, zone)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Paper({ invoice: { pdfUrl, pageUrl, number }, day }: { readonly invoice: Invoice; readonly day: string }) {
  const url = pdfUrl ?? pageUrl
  if (url === null) return <span className="text-quiet">{words.invoices.none}</span>
  const kind = pdfUrl === null ? words.invoices.view : words.invoices.pdf
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      aria-label={words.invoices.open(kind, number ?? day)}
      className="inline-flex items-center gap-1.5 align-middle font-medium text-accent-ink underline-offset-4 hover:underline"
    >
      <FileText aria-hidden className="size-4" />
      {kind}
    </a>
  )
}
