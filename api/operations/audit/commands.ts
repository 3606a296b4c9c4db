/** The commands of the audit's command line, on open stores. Each returns an exit code. */
import { createReadStream } from 'node:fs'
import type { JSONWebKeySet } from 'jose'
import { instantSchema } from '../../../domain/core/values.ts'
import { recorded } from '../../../domain/event-store/catalogue.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import type { PostEvent } from '../../../domain/post/events.ts'
import { evolvePost, initialPost } from '../../../domain/post/state.ts'
import type { Views } from '../../../projections/registry.ts'
import type { Clock } from '../../core/clock.ts'
import type { Records } from '../../records/port.ts'
import { eventsIn } from '../../core/aggregates.ts'
import type { Checkpoints } from '../../features/audit/checkpoints.ts'
import { eraseUser } from './erase.ts'
import { eraseReviewer } from '../../features/review/erase.ts'
import { ownershipsOf } from './ownerships.ts'
import { exportLines } from '../../features/audit/export.ts'
import type { Filters, Manifest } from '../../features/audit/export-format.ts'
import { firstOf, foldUpTo } from '../../features/history/scope.ts'
import { namesOf } from '../../features/audit/search.ts'
import type { Signer } from '../../features/audit/signing.ts'
import { verifyFile } from './verify-file.ts'

export const exitCodes = { ok: 0, differs: 1, usage: 2, unavailable: 3 } as const

export interface AuditStores {
  readonly events: EventStore
  readonly records: Records
  readonly views: Pick<Views, 'streams'>
  readonly signer: Signer
  readonly checkpoints: Checkpoints
  readonly clock: Clock
  /** Called with each erased user, if there is a log to write to. */
  readonly onErased?: (userId: string) => void
}

/** Writes text unchanged; resolves when there is room for more. */
export type Out = (text: string) => Promise<void> | void

export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}

export async function tellHistory({ events }: Pick<AuditStores, 'events'>, postId: string, out: Out): Promise<number> {
  let isThere = false
  for await (const { revision, type, metadata, data } of eventsIn(events, `post-${postId}`)) {
    isThere = true
    await out(
      `${metadata.at}  ${String(revision).padStart(4)}  ${type.padEnd(24)}  ${metadata.actor.type} ${metadata.actor.id}  ${metadata.hash}\n`,
    )
    await out(`      ${JSON.stringify(data)}\n`)
  }
  if (!isThere) throw new WrongUsage(`There is no post ${postId}.`)
  return exitCodes.ok
}

export async function tellAsOf(
  { events }: Pick<AuditStores, 'events'>,
  postId: string,
  at: string,
  out: Out,
): Promise<number> {
  const upTo = instantOf(at)
  const { revision, post: then } = await foldUpTo(
    events,
    `post-${postId}`,
    upTo,
    { revision: -1, post: initialPost },
    ({ post }, stored) => ({
      revision: stored.revision,
      post: evolvePost(post, recorded(stored) as unknown as PostEvent),
    }),
  )
  if (revision < 0) throw new WrongUsage(`There was no post ${postId} at ${upTo}.`)
  const { writtenAs: _, ...post } = then
  await out(`${JSON.stringify({ asOf: upTo, revision, ...post }, null, 2)}\n`)
  return exitCodes.ok
}

/** An instant with its time zone: the machine's zone is never assumed. @throws WrongUsage */
function instantOf(text: string): string {
  const instant = instantSchema.safeParse(text)
  if (!instant.success) throw new WrongUsage(`${text} is not an instant. Write it like 2026-03-01T09:00:00Z.`)
  return instant.data
}

export async function writeExport(
  stores: AuditStores,
  agencyId: string,
  asked: Filters,
  format: 'jsonl' | 'csv',
  out: Out,
): Promise<number> {
  const { events, views, signer, checkpoints, clock } = stores
  const { from, to, clientId } = asked
  const filters = { ...asked, from: from === null ? null : instantOf(from), to: to === null ? null : instantOf(to) }
  if (!(await firstOf(events, `agency-${agencyId}`))) throw new WrongUsage(`There is no agency ${agencyId}.`)
  if (clientId !== null && !(await namesOf(events, agencyId)).has(clientId))
    throw new WrongUsage(`The agency never had a client ${clientId}.`)
  const ports = { events, views, signer, checkpoint: async () => (await checkpoints.latest())?.signed ?? null }
  for await (const line of exportLines(ports, {
    scope: { agencyId, clientId: null },
    filters,
    format,
    at: clock.now(),
  }))
    await out(line)
  return exitCodes.ok
}

/** Needs only the file and the public keys. */
export async function checkFile(file: string, jwks: JSONWebKeySet, out: Out): Promise<number> {
  const { problems, events, manifest } = await verifyFile(createReadStream(file), jwks)
  for (const problem of problems) await out(`${problem}\n`)
  if (manifest) await out(aboutFile(manifest))
  await out(
    problems.length === 0 && manifest
      ? `The file is unchanged since its export on ${manifest.exportedAt}: ${events || manifest.events} events.\n`
      : `The file was changed since its export: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}.\n`,
  )
  return problems.length === 0 ? exitCodes.ok : exitCodes.differs
}

/** Which part of the log the export covers: a valid export may contain only little of it. */
function aboutFile({ agencyId, scope, filters }: Manifest): string {
  const { from, to, clientId, status } = filters
  const narrowed = [
    scope.kind === 'client' ? `client ${scope.clientId}` : clientId === null ? null : `client ${clientId}`,
    status === null ? null : `posts that are ${status}`,
    from === null ? null : `from ${from}`,
    to === null ? null : `until ${to}`,
  ].filter((each) => each !== null)
  return `An export of agency ${agencyId}: ${narrowed.length === 0 ? 'everything' : narrowed.join(', ')}.\n`
}

export async function erase(
  { events, records, clock, onErased }: Pick<AuditStores, 'events' | 'records' | 'clock' | 'onErased'>,
  userId: string,
  outbox: string,
  out: Out,
): Promise<number> {
  const owned = await ownershipsOf(events, userId)
  const shared = owned.filter(({ others }) => others > 0)
  if (shared.length > 0) {
    const names = shared.map(({ name, agencyId }) => `${name} (${agencyId})`).join(', ')
    await out(
      `This person owns ${names}, where others work. Transfer the ownership to one of them first (Settings, Team). Nothing was erased.\n`,
    )
    return exitCodes.differs
  }
  const alone = owned.map(({ agencyId }) => agencyId)
  const { wasThere, sessions } = await eraseUser(records, clock, userId, alone, outbox)
  if (wasThere) onErased?.(userId)
  await out(
    wasThere
      ? `Erased the name, the email address, the password and ${sessions} ${sessions === 1 ? 'session' : 'sessions'}. The log keeps the events and names a former member.\n`
      : `There is no user ${userId}. Any leftovers of an earlier run were erased.\n`,
  )
  return exitCodes.ok
}

/** @throws WrongUsage without exactly one of the two */
export async function tellErasedReviewer(
  { records, clock }: Pick<AuditStores, 'records' | 'clock'>,
  { id, email }: { readonly id?: string | undefined; readonly email?: string | undefined },
  outbox: string,
  out: Out,
): Promise<number> {
  const who =
    id !== undefined && email === undefined ? { id } : email !== undefined && id === undefined ? { email } : null
  if (!who)
    throw new WrongUsage('Give either the id of a reviewer, as receipts have it, or an address: --id or --email.')
  const found = await eraseReviewer(records, clock, who, outbox)
  await out(
    found > 0
      ? 'Erased the name, the address and the words. The log keeps the verdicts, of a former reviewer.\n'
      : 'There is no such reviewer. Any leftovers of an earlier run were erased.\n',
  )
  return exitCodes.ok
}
