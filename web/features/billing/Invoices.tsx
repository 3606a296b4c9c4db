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

const statuses: Readonly<Record<Invoice['status'], { readonly label: string; readonly tone: BadgeTone }>> = {
  draft: { label: 'Draft', tone: 'draft' },
  open: { label: 'Open', tone: 'pending' },
  paid: { label: 'Paid', tone: 'published' },
  uncollectible: { label: 'Not paid', tone: 'rejected' },
  void: { label: 'Void', tone: 'draft' },
}

export function Invoices({ zone }: { readonly zone: string }) {
  const invoices = useQuery(invoicesQuery)
  return (
    <Card data-testid="card-invoices">
      <h2 className="mb-3 text-lg font-semibold">Invoices</h2>
      {invoices.isPending && (
        <div className="flex flex-col gap-3">
          <output className="sr-only">Loading invoices</output>
          <Skeleton className="h-9" />
          <Skeleton className="h-9" />
        </div>
      )}
      {invoices.isError && (
        <p role="alert" className="text-quiet">
          {`The invoices could not be loaded. ${errorText(invoices.error)} `}
          <Button look="link" size="inline" onPress={() => void invoices.refetch()}>
            Try again
          </Button>
        </p>
      )}
      {invoices.isSuccess &&
        (invoices.data.length === 0 ? (
          <p className="text-quiet">No invoices yet. They will be listed here after the first payment.</p>
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
            Date
          </th>
          <th scope="col" className={`${head} pr-6 text-right!`}>
            Amount
          </th>
          <th scope="col" className={head}>
            Status
          </th>
          <th scope="col" className={`${head} text-right!`}>
            Invoice
          </th>
        </tr>
      </thead>
      <tbody>
        {invoices.map((invoice) => (
          <tr key={invoice.id} data-testid="invoice">
            <td className={cell}>{formatDate(invoice.date, zone)}</td>
            <td className={`${cell} pr-6 text-right`}>{amountWords(invoice)}</td>
            <td className={cell}>
              <Badge tone={statuses[invoice.status].tone}>{statuses[invoice.status].label}</Badge>
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
  if (url === null) return <span className="text-quiet">None yet</span>
  const kind = pdfUrl === null ? 'View' : 'PDF'
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      aria-label={`${kind} of invoice ${number ?? day}`}
      className="inline-flex items-center gap-1.5 align-middle font-medium text-accent-ink underline-offset-4 hover:underline"
    >
      <FileText aria-hidden className="size-4" />
      {kind}
    </a>
  )
}
