/**
 * The consent page on which a user lets SocialAI use profiles, in each network's terms; and the redirect with a code.
 */
import { Router, type Request, type Response } from 'express'
import { z } from 'zod'
import { normalForm } from '../../domain/core/normal-form.ts'
import type { Platform } from '../../domain/core/values.ts'
import { isStorable } from '../../domain/event-store/sqlite.ts'
import { maxBodyBytes } from './bodies.ts'
import { consentPage } from './pages/consent.ts'
import { problemPage } from './pages/frame.ts'
import { forPeople, sendPage } from './policy.ts'
import { networkPath, type SandboxPorts } from './ports.ts'
import type { ProfileKind } from './store/profiles.ts'

export interface ConsentTerms {
  readonly platform: Platform
  /** Under the network's own path. */
  readonly path: string
  /** The redirect's parameters when the user cancels. */
  readonly cancel: Readonly<Record<string, string>>
  readonly codeLifeMs: number
  /** The fragment that the network appends after the code, e.g. `#_`. */
  readonly fragment: string
  /** The kind of the profiles after the first; null if one consent covers only one profile. */
  readonly others: ProfileKind | null
  /** Whether PKCE is required. */
  readonly pkce: boolean
}

const plain = (most: number) => z.string().min(1).max(most).refine(isStorable)
const asked = z.object({
  client_id: plain(200),
  redirect_uri: z.url({ protocol: /^https?$/ }).max(2048),
  response_type: z.literal('code'),
  state: plain(500),
  scope: plain(1_000).optional(),
  sandbox_account: z.string().max(200).optional(),
  profiles: z.string().max(maxBodyBytes.form).optional(),
  code_challenge: plain(128).optional(),
  code_challenge_method: z.literal('S256').optional(),
})
type Asked = z.output<typeof asked>

const maxProfiles = 250
const incomplete = 'This link is not complete. Go back to SocialAI and connect the account again.'
const full = 'It keeps as many profiles as it can. Connect one that is there already.'
const nameless = 'Name at least one profile, with at most 200 characters each. Go back and try again.'

export function consentRoutes(ports: SandboxPorts, terms: ConsentTerms): Router {
  const { store, clock, base, returnOrigins, bodies } = ports
  const router = Router()
  const people = forPeople(ports)

  const judge = (response: Response, input: unknown): Asked | null => {
    const wanted = asked.safeParse(input)
    const { data } = wanted
    const complete =
      data && (!terms.pkce || (data.code_challenge !== undefined && data.code_challenge_method !== undefined))
    if (complete && returnOrigins.includes(new URL(data.redirect_uri).origin)) return data
    sendPage(response.status(400), problemPage(base, 'This link does not work', incomplete))
    return null
  }

  router.get(terms.path, people, (request: Request, response) => {
    const consent = judge(response, request.query)
    if (!consent) return
    const { redirect_uri: redirectUri, state, scope = '', sandbox_account: account = '' } = consent
    const echoed = Object.entries(consent).flatMap(([name, value]) =>
      name === 'profiles' || value === undefined ? [] : [[name, value] as const],
    )
    const shown = {
      platform: terms.platform,
      account,
      scope,
      several: terms.others !== null,
      action: `${base}/${networkPath(terms.platform)}${request.path}`,
      echoed,
      cancelUrl: withQuery(redirectUri, { ...terms.cancel, state }),
    }
    sendPage(response, consentPage(base, shown), new URL(redirectUri).origin)
  })

  router.post(terms.path, people, bodies.form(maxBodyBytes.form), async (request: Request, response) => {
    const consent = judge(response, request.body)
    if (!consent) return
    const profiles = namesIn(consent.profiles ?? consent.sandbox_account ?? '')
    if (profiles === null)
      return void sendPage(response.status(400), problemPage(base, 'No profile was named', nameless))
    if (!store.profiles.hasRoom(profiles.length))
      return void sendPage(response.status(503), problemPage(base, 'This sandbox is full', full))
    const shared = profiles.slice(0, terms.others === null ? 1 : maxProfiles)
    const {
      redirect_uri: redirectUri,
      state,
      scope = '',
      client_id: clientId,
      code_challenge: challenge = null,
    } = consent
    const code = await store.consents.allow(
      {
        platform: terms.platform,
        profiles: shared.map((name, place) => ({ name, kind: place === 0 ? 'profile' : (terms.others ?? 'profile') })),
        scope,
        clientId,
        redirectUri,
        challenge,
        codeLifeMs: terms.codeLifeMs,
      },
      clock.now(),
    )
    response.redirect(303, withQuery(redirectUri, { code, state }) + terms.fragment)
  })

  return router
}

/** One name per line, duplicates removed; null when there is none, or one is too long. */
function namesIn(lines: string): string[] | null {
  const names = lines.split(/\r?\n/).map((line) => normalForm('NFC', line).trim())
  const distinct = [...new Set(names.filter((name) => name !== ''))]
  return distinct.length === 0 || distinct.some((name) => name.length > 200) ? null : distinct
}

function withQuery(address: string, query: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}
