import { useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { formatDateTime } from '../../lib/dates.ts'
import { auditAboutQuery, checkpointsQuery, clientsQuery } from '../../lib/queries.ts'
import { useAgency } from '../../lib/use-agency.ts'
import { Card } from '../../ui/Card.tsx'
import { ForRole } from '../../ui/ForRole.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { AuditorLinks } from './AuditorLinks.tsx'
import { AuditTrail } from './AuditTrail.tsx'
import { ownSource } from './source.ts'
import { words } from './words.ts'

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
      <PageHeader title={words.title} text={words.about} />
      {agency && (
        <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
          <AuditTrail
            source={ownSource}
            clients={about.data?.clients ?? []}
            people={about.data?.people ?? []}
            choosesClient
            zone={agency.timeZone}
            since={about.data?.since ?? agency.createdAt}
            postId={postId}
            onPost={onPost}
          />
          <div className="flex flex-col gap-6">
            {/* Of a known height while it is loaded, so that the links below do not move. */}
            <Signed zone={agency.timeZone} />
            <ForRole least="admin">
              <AuditorLinks clients={clients.data ?? []} zone={agency.timeZone} />
            </ForRole>
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
        {words.checkpoints}
      </h2>
      {checkpoints.isPending ? (
        <>
          <output className="sr-only">{words.loadingCheckpoint}</output>
          <Skeleton className="mt-2 h-33.5" />
        </>
      ) : (
        <p className="mt-2 text-sm text-quiet">
          {latest ? words.signedOn(formatDateTime(latest.at, zone)) : words.notSigned}
        </p>
      )}
      {latest && (
        <>
          <p className="mt-2 font-mono text-xs wrap-anywhere text-quiet">{latest.root}</p>
          <a
            href={`data:application/jose,${latest.signed}`}
            download={`checkpoint-${latest.at.slice(0, 10)}.jws`}
            className="mt-3 inline-block text-sm font-medium text-accent-ink underline underline-offset-4"
            data-testid="download-checkpoint"
          >
            {words.downloadCheckpoint}
          </a>
        </>
      )}
    </Card>
  )
}
