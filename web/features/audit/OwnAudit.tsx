import { useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { formatDateTime } from '../../lib/dates.ts'
import { auditAboutQuery, checkpointsQuery, clientsQuery } from '../../lib/queries.ts'
import { useAgency } from '../../lib/use-agency.ts'
import { Card } from '../../ui/Card.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { AuditorLinks } from './AuditorLinks.tsx'
import { AuditTrail } from './AuditTrail.tsx'
import { ownSource } from './source.ts'

interface Props {
  readonly postId: string | null
  readonly onPost: (postId: string | null) => void
}

export function OwnAudit({ postId, onPost }: Props) {
  const agency = useAgency()
  const clients = useQuery(clientsQuery)
  const about = useQuery(auditAboutQuery)
  return (
    <>
      <PageHeader title="Audit" text="Every post there ever was, as it was at any time, and who did what." />
      {agency && (
        <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
          <AuditTrail
            source={ownSource}
            clients={about.data?.clients ?? []}
            zone={agency.timeZone}
            since={about.data?.since ?? agency.createdAt}
            postId={postId}
            onPost={onPost}
          />
          <div className="flex flex-col gap-6">
            <AuditorLinks clients={clients.data ?? []} zone={agency.timeZone} />
            <Signed zone={agency.timeZone} />
          </div>
        </div>
      )}
    </>
  )
}

/** The last signed statement of what the log holds. */
function Signed({ zone }: { readonly zone: string }) {
  const checkpoints = useQuery(checkpointsQuery)
  const latest = checkpoints.data?.[0]
  return (
    <Card>
      <h2 className="flex items-center gap-2 font-semibold">
        <ShieldCheck aria-hidden className="size-4 text-published-ink" />
        Signed checkpoints
      </h2>
      <p className="mt-2 text-sm text-quiet">
        {latest
          ? `The log was last signed on ${formatDateTime(latest.at, zone)}. Keep one outside, and nothing before it can change unnoticed.`
          : 'The log is signed every hour. The first checkpoint will be here soon.'}
      </p>
      {latest && (
        <>
          <p className="mt-2 font-mono text-xs wrap-anywhere text-quiet">{latest.root}</p>
          <a
            href={`data:application/jose,${latest.signed}`}
            download={`checkpoint-${latest.at.slice(0, 10)}.jws`}
            className="mt-3 inline-block text-sm font-medium text-accent-ink underline underline-offset-4"
            data-testid="download-checkpoint"
          >
            Download the checkpoint
          </a>
        </>
      )}
    </Card>
  )
}
