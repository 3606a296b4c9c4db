/** The receipts of a post: what is signed, to be printed, copied or saved. */
import type { UseQueryResult } from '@tanstack/react-query'
import { Check, Copy, Download, Printer } from 'lucide-react'
import { useState } from 'react'
import type { Receipt } from '../../../api/contract/index.ts'
import { formatDateTime } from '../../lib/dates.ts'
import { Dialog } from '../Dialog.tsx'
import { LoadError } from '../LoadError.tsx'
import { PlainButton } from '../PlainButton.tsx'
import { ServerError } from '../ServerError.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { ReceiptSheet } from './ReceiptSheet.tsx'
import { checkpointOf, statementOf } from './statement.ts'
import { words } from './words.ts'

interface Props {
  readonly receipts: UseQueryResult<readonly Receipt[]>
  readonly zone: string
  /** A reviewer's own. */
  readonly own?: boolean
  readonly onClose: () => void
}

export function ReceiptsDialog({ receipts, zone, own = false, onClose }: Props) {
  const [printed, setPrinted] = useState<Receipt | null>(null)
  return (
    <>
      <Dialog
        open
        onClose={onClose}
        title={own ? words.titleOfOwn : words.title}
        description={own ? words.textOfOwn : words.text}
      >
        {receipts.isPending && (
          <>
            <output className="sr-only">{words.loading}</output>
            <Skeleton className="h-28" />
          </>
        )}
        {receipts.isError && (
          <LoadError what={words.theReceipts} error={receipts.error} onRetry={() => void receipts.refetch()} />
        )}
        {receipts.data?.length === 0 && <p className="text-quiet">{words.none}</p>}
        <ul className="flex flex-col divide-y divide-line empty:hidden">
          {receipts.data?.toReversed().map((receipt) => (
            <Entry key={receipt.id} receipt={receipt} zone={zone} onPrint={() => setPrinted(receipt)} />
          ))}
        </ul>
      </Dialog>
      {printed && <ReceiptSheet receipt={printed} zone={zone} onClose={() => setPrinted(null)} />}
    </>
  )
}

interface EntryProps {
  readonly receipt: Receipt
  readonly zone: string
  readonly onPrint: () => void
}

function Entry({ receipt, zone, onPrint }: EntryProps) {
  const [copying, setCopying] = useState<'done' | 'failed' | null>(null)
  const checkpoint = checkpointOf(statementOf(receipt))
  const copy = () =>
    void navigator.clipboard.writeText(receipt.signed).then(
      () => setCopying('done'),
      () => setCopying('failed'),
    )
  return (
    <li className="flex flex-col gap-1 py-4 first:pt-0 last:pb-0" data-testid="receipt">
      <p dir="auto" className="font-medium wrap-anywhere">
        {words.said(receipt)}
      </p>
      <p className="text-sm wrap-anywhere text-quiet">
        <span className="tabular">{formatDateTime(receipt.at, zone)}</span>
        {receipt.step !== null && ` · ${words.step}: ${receipt.step}`}
      </p>
      <p className="text-sm text-quiet">{`${words.verified}: ${words.proofs[receipt.verified]}`}</p>
      <p className="tabular text-sm text-quiet">
        {`${words.checkpoint}: ${checkpoint === null ? words.noCheckpoint : words.checkpointIs(formatDateTime(checkpoint.at, zone), checkpoint.events)}`}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <PlainButton size="sm" onPress={onPrint} data-testid="button-print-receipt">
          <Printer aria-hidden />
          {words.print}
        </PlainButton>
        <PlainButton size="sm" onPress={copy} data-testid="button-copy-receipt">
          {copying === 'done' ? <Check aria-hidden /> : <Copy aria-hidden />}
          <span aria-live="polite">{copying === 'done' ? words.copied : words.copy}</span>
        </PlainButton>
        <PlainButton size="sm" onPress={() => save(receipt)} data-testid="button-download-receipt">
          <Download aria-hidden />
          {words.download}
        </PlainButton>
      </div>
      <ServerError message={copying === 'failed' ? words.copyFailed : null} />
    </li>
  )
}

function save({ id, at, signed }: Receipt): void {
  const href = URL.createObjectURL(new Blob([`${signed}\n`], { type: 'text/plain' }))
  const download = `receipt-${at.slice(0, 10)}-${id.slice(-6)}.txt`
  Object.assign(document.createElement('a'), { href, download }).click()
  URL.revokeObjectURL(href)
}
