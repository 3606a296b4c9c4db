/** One receipt as a page of paper: white in both themes, and printed without what is behind it. */
import { Printer, X } from 'lucide-react'
import { Fragment, useEffect, type ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import type { Receipt } from '../../../api/contract/index.ts'
import { formatDateTime } from '../../lib/dates.ts'
import { PlainButton } from '../PlainButton.tsx'
import { checkpointOf, statementOf } from './statement.ts'
import { words } from './words.ts'

interface Props {
  readonly receipt: Receipt
  readonly zone: string
  readonly onClose: () => void
}

export function ReceiptSheet({ receipt, zone, onClose }: Props) {
  useEffect(() => {
    // Once the page stands.
    const shown = requestAnimationFrame(() => window.print())
    return () => cancelAnimationFrame(shown)
  }, [])
  return (
    <ModalOverlay
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className="fixed inset-0 z-50 overflow-y-auto bg-white print:static print:overflow-visible"
      data-paper=""
    >
      <Modal className="mx-auto min-h-dvh w-full max-w-wide-dialog px-4 py-6 sm:px-10 print:max-w-none print:p-0">
        <AriaDialog className="text-ink outline-none" data-printed="" data-testid="receipt-sheet">
          <div className="mb-6 flex justify-end gap-2 print:hidden">
            <PlainButton look="primary" onPress={() => window.print()} data-testid="button-print-sheet">
              <Printer aria-hidden />
              {words.print}
            </PlainButton>
            <PlainButton onPress={onClose} data-testid="button-close-sheet">
              <X aria-hidden />
              {words.close}
            </PlainButton>
          </div>
          <Heading slot="title" className="text-2xl font-semibold">
            {words.sheet}
          </Heading>
          <p dir="auto" className="mt-1 text-lg wrap-anywhere">
            {words.said(receipt)}
          </p>
          <Facts receipt={receipt} zone={zone} />
          <h3 className="mt-6 font-semibold">{words.statement}</h3>
          <p className="mt-2 rounded-card border border-line p-3 font-mono text-xs wrap-anywhere">{receipt.signed}</p>
          <h3 className="mt-6 font-semibold">{words.check}</h3>
          <ol className="mt-2 flex list-decimal flex-col gap-1 pl-5 wrap-anywhere">
            {words.checkSteps(`${window.location.origin}/.well-known/jwks.json`).map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <p className="mt-2 text-quiet">{words.nameIsApart}</p>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

function Facts({ receipt, zone }: Pick<Props, 'receipt' | 'zone'>) {
  const statement = statementOf(receipt)
  const checkpoint = checkpointOf(statement)
  const timeOf = (instant: string) => formatDateTime(instant, zone)
  const hash = (text: string) => <span className="font-mono text-xs wrap-anywhere">{text}</span>
  const facts: readonly (readonly [string, ReactNode])[] = [
    [words.verdict, words.verdicts[statement.verdict]],
    ...(statement.step === null ? [] : [[words.step, statement.step] as const]),
    [words.version, statement.submission],
    [
      words.reviewer,
      <>
        <span dir="auto">{receipt.reviewer.name ?? words.former}</span> {hash(statement.reviewerId)}
      </>,
    ],
    [words.verified, words.proofs[statement.verified]],
    [
      words.time,
      <>
        {timeOf(statement.at)} {hash(statement.at)}
      </>,
    ],
    [words.post, hash(statement.postId)],
    [words.contentHash, hash(statement.contentHash)],
    [words.mediaHash, statement.mediaHash === null ? words.noImage : hash(statement.mediaHash)],
    ...(statement.approvalHash === null ? [] : [[words.approvalHash, hash(statement.approvalHash)] as const]),
    [
      words.event,
      <>
        {words.eventIs(statement.event.type, statement.event.revision)} {hash(statement.event.hash)}
      </>,
    ],
    ...(statement.skipped.length === 0
      ? []
      : [[words.skipped, statement.skipped.map(({ at, reason }) => `${timeOf(at)}: ${reason}`).join('; ')] as const]),
    [
      words.checkpoint,
      checkpoint === null ? words.noCheckpoint : words.checkpointIs(timeOf(checkpoint.at), checkpoint.events),
    ],
  ]
  return (
    <dl className="mt-6 grid grid-cols-1 gap-x-6 sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-y-2 print:grid-cols-[auto_minmax(0,1fr)] print:gap-y-1">
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt className="text-quiet max-sm:mt-2 print:mt-0">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
