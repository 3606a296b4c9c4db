/**
 * Auditors' links: the address has a signed token that names the link; the link's stream says whether it is still open.
 */
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { whyOver, type AuditorLink } from '../../../domain/auditor-link/decider.ts'
import type { Views } from '../../../projections/registry.ts'
import { auditorLinksProjection } from '../../../projections/auditor-links/projection.ts'
import type { AuditorLinkView } from '../../../projections/auditor-links/view.ts'
import { idFromKey } from '../../core/agency-id.ts'
import type { Clock } from '../../core/clock.ts'
import type { AuditorLink as LinkReply } from '../../contract/audit.ts'
import type { Newest } from '../../core/read-your-writes.ts'
import type { Commands } from '../../core/commands.ts'
import { accepted, type Handlers } from '../../http/handler.ts'
import { pageOf } from '../../http/paging.ts'
import { notFound } from '../../http/problem.ts'
import { problemOf } from '../../http/sentences.ts'
import { firstOf, type AuditScope } from '../history/scope.ts'
import { SignatureProblem, type Signer } from './signing.ts'

export interface LinkPorts {
  readonly commands: Commands
  readonly views: Pick<Views, 'auditorLinks'>
  readonly newest: Newest
  readonly signer: Signer
  readonly clock: Clock
  readonly publicUrl: string
}

/** The token's payload. */
const tokenSchema = z.object({ link: z.string(), agency: z.string() })

export function linkHandlers({
  commands,
  views,
  newest,
  signer,
  clock,
  publicUrl,
}: LinkPorts): Handlers<'listAuditorLinks' | 'issueAuditorLink' | 'revokeAuditorLink'> {
  const shown = ({ agencyId: _, issuedBy: __, ...link }: AuditorLinkView): LinkReply => ({
    ...link,
    state: link.revokedAt !== null ? 'revoked' : link.expiresAt <= clock.now() ? 'expired' : 'open',
  })

  return {
    listAuditorLinks({ agencyId, query: { cursor } }) {
      const query = {
        where: { agencyId },
        sort: { field: 'issuedAt', order: 'desc' },
        ...(cursor === undefined ? {} : { cursor }),
      } as const
      return pageOf(views.auditorLinks.each(query), shown)
    },

    async issueAuditorLink({ agencyId, by, me, body, idempotencyKey, visible }) {
      const id = idempotencyKey === null ? uuidv7() : idFromKey(agencyId, 'issueAuditorLink', idempotencyKey)
      const { appendedEvents } = accepted(await commands.auditorLink(id, { type: 'IssueAuditorLink', ...body }, by))
      const sought = { id, view: views.auditorLinks, projection: auditorLinksProjection, stream: `auditorlink-${id}` }
      const link = await newest(sought, await visible(appendedEvents))
      if (!link) throw notFound('This link')
      // A removal meanwhile may not have seen the link, whose address has not been told to the person yet.
      if (!(await commands.recallAgency(agencyId)).team.members[me.id]) {
        await commands.auditorLink(id, { type: 'RevokeAuditorLink' }, by)
        throw problemOf({ reason: 'not-a-member' })
      }
      const token = await signer.sign('auditor-link', { link: id, agency: agencyId })
      return { body: { ...shown(link), url: `${publicUrl}/audit/${inAddress(token)}` } }
    },

    async revokeAuditorLink({ agencyId, by, params: { id }, visible }) {
      await mustBeOf(commands, id, agencyId)
      const { appendedEvents } = accepted(await commands.auditorLink(id, { type: 'RevokeAuditorLink' }, by))
      await visible(appendedEvents)
      return {}
    },
  }
}

/** Replaces dots, because an address that ends with a dot and letters looks like a file name. */
const inAddress = (token: string) => token.replaceAll('.', '~')

async function mustBeOf({ ports }: Commands, id: string, agencyId: string): Promise<void> {
  const first = await firstOf(ports.events, `auditorlink-${id}`)
  if (first?.metadata.agencyId !== agencyId) throw notFound('This link')
}

export interface Opened {
  readonly scope: AuditScope
  readonly link: NonNullable<AuditorLink['issued']>
  readonly linkId: string
}

/** Opens a link by its token and records its use. @throws Problem 404 for an invalid token, 403 for a closed link */
export async function openLink(
  { commands, signer }: Pick<LinkPorts, 'commands' | 'signer'>,
  token: string,
  requestId: string,
): Promise<Opened> {
  const jws = token.includes('.') ? '' : token.replaceAll('~', '.')
  const carried = await signer.verify('auditor-link', jws).catch((error: unknown) => {
    throw error instanceof SignatureProblem ? problemOf({ reason: 'link-unknown' }) : error
  })
  const { link: linkId, agency: agencyId } = tokenSchema.parse(carried)
  const { state } = await commands.loadAuditorLink(linkId)
  const over = whyOver(state, commands.ports.clock.now())
  if (over || !state.issued) throw problemOf(over ?? { reason: 'link-unknown' })
  const by = { actor: { type: 'auditor', id: linkId }, agencyId, correlationId: requestId } as const
  const used = await commands.auditorLink(linkId, { type: 'RecordAuditorLinkUse' }, by)
  if ('refused' in used) throw problemOf(used.refused)
  const { scope } = state.issued
  return { linkId, link: state.issued, scope: { agencyId, clientId: scope.kind === 'client' ? scope.clientId : null } }
}
