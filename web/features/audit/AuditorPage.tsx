/** The page behind an auditor's link: no account is needed and nothing can be changed. */
import { useQuery } from '@tanstack/react-query'
import { LockKeyhole } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { AuditorAbout } from '../../../api/contract/index.ts'
import { formatDate, zoneLabel } from '../../lib/dates.ts'
import { errorText, statusOf } from '../../lib/error-text.ts'
import { auditorQuery } from '../../lib/queries.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { LogoMark } from '../../ui/Logo.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { PageSpinner } from '../../ui/Spinner.tsx'
import { AuditTrail } from './AuditTrail.tsx'
import { linkSource } from './source.ts'
import { words } from './words.ts'

export function AuditorPage({ token }: { readonly token: string }) {
  const about = useQuery(auditorQuery(token))
  const [postId, setPostId] = useState<string | null>(null)
  const source = useMemo(() => linkSource(token), [token])
  return (
    <div className="min-h-dvh">
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex h-16 max-w-page items-center gap-2.5 px-4 sm:px-6">
          <LogoMark className="size-7" />
          <span className="font-semibold">{words.product}</span>
          {about.data && (
            <span className="ml-auto text-sm text-quiet">
              {words.openUntil(formatDate(about.data.expiresAt, about.data.timeZone))}
            </span>
          )}
        </div>
      </header>
      <main className="mx-auto max-w-page px-4 py-8 sm:px-6">
        {about.isPending && <PageSpinner />}
        {about.isError && <Closed error={about.error} onRetry={() => void about.refetch()} />}
        {about.data && (
          <>
            <PageHeader
              title={titleOf(about.data)}
              text={words.readOnly(about.data.label, zoneLabel(about.data.timeZone))}
            />
            <AuditTrail
              source={source}
              clients={about.data.clients}
              zone={about.data.timeZone}
              since={about.data.since}
              postId={postId}
              onPost={setPostId}
            />
          </>
        )}
      </main>
    </div>
  )
}

/** The link's scope: one client or the whole agency. */
function titleOf({ clientId, clients, agencyName }: AuditorAbout): string {
  const client = clients.find(({ id }) => id === clientId)
  return client ? words.auditOfClient(client.name, agencyName) : words.auditOf(agencyName)
}

/** Withdrawn, over, or never one of ours: one clear page. Anything else may come right by itself. */
function Closed({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const status = statusOf(error)
  if (status !== 403 && status !== 404) return <LoadError what={words.audit} error={error} onRetry={onRetry} />
  return (
    <>
      <h1 className="sr-only">{words.title}</h1>
      <EmptyState
        icon={<LockKeyhole />}
        title={status === 403 ? words.linkClosed : words.nothingHere}
        text={errorText(error)}
      />
    </>
  )
}
