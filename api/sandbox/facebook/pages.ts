/**
 * The Pages that a user may manage, directly and by a business.
 * https://developers.facebook.com/docs/graph-api/reference/user/accounts
 */
import { createHash, createHmac } from 'node:crypto'
import { Router, type Request, type Response } from 'express'
import { holderOf, keyIn, refuse, unknownObject } from '../meta.ts'
import { given, pageSize, type SandboxPorts } from '../ports.ts'
import type { SandboxProfile } from '../store/profiles.ts'
import type { Holder } from '../store/tokens.ts'

/** Deterministic per consent. */
const businessOf = ({ consent }: Holder) => `10${createHash('sha256').update(consent).digest().readUInt32BE()}`

/** The same Page and the same user's token give the same Page token; only its hash is stored. */
const pageKey = (userKey: string, page: string) =>
  `EAAP${createHmac('sha256', userKey).update(page).digest('base64url')}`

export function pageListRoutes(ports: SandboxPorts): Router {
  const { store, clock } = ports
  const router = Router()

  const person = (request: Request, response: Response, scope: string): Holder | null => {
    const holder = holderOf(ports, 'facebook', request, response, scope)
    if (holder?.kind === 'page')
      return refuse(response, { code: 100, message: '(#100) Tried accessing nonexisting field on node type (Page)' })
    return holder
  }

  /** Tokens created from a short-lived token expire with it; all others never expire. */
  const list = async (request: Request, response: Response, holder: Holder, pages: readonly SandboxProfile[]) => {
    const start = Number(Buffer.from(given(request, 'after'), 'base64url').toString() || 0)
    const limit = pageSize(given(request, 'limit'), 25, 100)
    const shown = Number.isInteger(start) ? pages.slice(start, start + limit) : []
    const userKey = keyIn(request)
    const fields = new Set((given(request, 'fields') || 'id,name,access_token').split(','))
    if (fields.has('access_token')) {
      const expiresAt = holder.kind === 'short' ? holder.expiresAt : null
      await store.durably(() => {
        for (const { remoteId } of shown) {
          store.tokens.issue(
            { key: pageKey(userKey, remoteId), consent: holder.consent, kind: 'page', remoteId, expiresAt },
            clock.now(),
          )
        }
      })
    }
    const after = Buffer.from(String(start + shown.length)).toString('base64url')
    const next = `${request.protocol}://${request.get('host') ?? ''}${request.baseUrl}${request.path}?${new URLSearchParams({ access_token: userKey, limit: String(limit), after })}`
    response.json({
      data: shown.map(({ remoteId, name }) => ({
        id: remoteId,
        ...(fields.has('name') ? { name } : {}),
        ...(fields.has('access_token') ? { access_token: pageKey(userKey, remoteId) } : {}),
      })),
      ...(shown.length === 0
        ? {}
        : {
            paging: {
              cursors: { before: given(request, 'after'), after },
              ...(start + shown.length < pages.length ? { next } : {}),
            },
          }),
    })
  }

  // Of three Pages or more the last belongs only to the business, and the second is in both lists, as is common for
  // agencies.
  router.get('/:version/me/accounts', async (request, response) => {
    const holder = person(request, response, 'pages_show_list')
    if (!holder) return
    const pages = store.profiles.of(holder.consent)
    await list(request, response, holder, pages.length > 2 ? pages.slice(0, -1) : pages)
  })
  router.get('/:version/me/businesses', (request, response) => {
    const holder = person(request, response, 'business_management')
    if (!holder) return
    const owns = store.profiles.of(holder.consent).length > 1
    response.json({ data: owns ? [{ id: businessOf(holder), name: 'Sandbox business' }] : [] })
  })
  router.get('/:version/:business/:kind', async (request, response, next) => {
    const { business, kind } = request.params
    if (kind !== 'owned_pages' && kind !== 'client_pages') return next()
    const holder = person(request, response, 'business_management')
    if (!holder) return
    if (business !== businessOf(holder)) return void refuse(response, unknownObject(business))
    await list(request, response, holder, kind === 'owned_pages' ? store.profiles.of(holder.consent).slice(1) : [])
  })
  return router
}
