/**
 * Every request to a documented route gets a documented answer, breaks nothing, and changes no other agency's data.
 *
 * @module-tag sampled
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyLog } from '../../operations/audit/verify-log.ts'
import type { ApiClient } from '../../http/client.ts'
import { LyingProvider } from '../../features/auth/oidc/test/lying-provider.ts'
import { settings } from '../../features/auth/oidc/test/settings.ts'
import { startStripe, type FakeStripe } from '../../features/billing/test/fake-stripe.ts'
import { MovableClock } from '../../core/clock.ts'
import { openFiles } from '../../composition/embedded.ts'
import { projections } from '../../../projections/registry.ts'
import { verifyProjection } from '../../../projections/verify.ts'
import { brand, owner, testServer, type TestServer } from '../server.ts'
import { storesFor } from '../servers.ts'
import { fuzz, type Outcome } from './run.ts'
import { sample, seedOr } from '../../../domain/test/sample.ts'

const isDistributed = process.env['TEST_SHAPE'] === 'distributed'
const requests = sample('FUZZ_REQUESTS', { test: isDistributed ? 30 : 40, long: 1_900 })
const seed = seedOr(1)
const only = process.env['FUZZ_ONLY'] === undefined ? null : Number(process.env['FUZZ_ONLY'])
const again = `SEED=${seed} FUZZ_ONLY=`

const secret = 'zq-nobody-else-reads-this'
const day = 86_400_000

let server: TestServer
let stripe: FakeStripe
const signOn = new LyingProvider()
let theirs: ApiClient
let before: readonly string[]
let outcome: Outcome

/** The other agency's data, without the parts that change with the clock. */
async function seenBy(caller: ApiClient): Promise<readonly string[]> {
  const read: string[] = []
  const take = async (path: string) => {
    const { text } = await caller.get(path)
    read.push(text)
    return JSON.parse(text) as readonly { readonly id: string }[]
  }
  await take('/api/audit')
  await take('/api/audit/links')
  for (const { id } of await take('/api/clients')) {
    await take(`/api/clients/${id}/social-accounts`)
    await take(`/api/clients/${id}/schedules`)
    for (const post of await take(`/api/clients/${id}/posts`)) await take(`/api/posts/${post.id}/history`)
  }
  return read
}

async function anotherAgency() {
  const { clientId, accountId } = await brand(theirs)
  await theirs.callOrThrow('reviseClient', { params: { id: clientId }, body: { description: secret } })
  const body = { socialAccountId: accountId, content: secret, status: 'pending' }
  const { id: postId } = await theirs.callOrThrow('writePost', { params: { id: clientId }, body })
  const { id: linkId } = await theirs.callOrThrow('issueAuditorLink', {
    body: { label: secret, expiresAt: new Date(Date.parse(server.clock.now()) + 300 * day).toISOString() },
  })
  return { clients: clientId, 'social-accounts': accountId, posts: postId, links: linkId }
}

beforeAll(
  async () => {
    const clock = new MovableClock()
    stripe = await startStripe(clock)
    await signOn.start()
    const limits = { failures: 10, perAddress: 1_000_000, registrations: 1_000_000 }
    // Ceremonies come from addresses of their own.
    server = await testServer({ ...stripe.env, ...settings(signOn.issuer), PUBLISH_POLL_MS: '2000' }, { clock, limits })
    const ended = await owner(server)
    await brand(ended)
    clock.advance(8 * day)
    theirs = await owner(server)
    const foreign = await anotherAgency()
    before = await seenBy(theirs)
    outcome = await fuzz(server, { seed, requests, only, foreign, secret, ended, signOn })
  },
  60_000 + requests * (isDistributed ? 2_000 : 100),
)
afterAll(async () => {
  await server.remove()
  await stripe.close()
  await signOn.stop()
})

describe(`after ${only === null ? 'the requests' : 'one of the requests'} of seed ${seed}`, () => {
  it('every answer matches the OpenAPI document [S53]', () => {
    expect(
      outcome.failures.map(({ number, problem, line }) => `${again}${number}: ${problem}\n    ${line}`).join('\n\n'),
    ).toBe('')
  })

  /** A browser comes there from the provider: its refusals are redirects to a page that says why. */
  const refusesByRedirect = 'oidcCallback'

  /** Codes go by mail, which this server doesn't send. */
  const neverAccepts = 'askReviewCode'

  // Too few requests don't reach every route.
  it.runIf(only === null && requests >= 1_500)('every route has accepted a request and refused one', () => {
    const lacking = outcome.operations.flatMap(({ operationId }) => {
      const met = [...(outcome.statuses.get(operationId)?.keys() ?? [])]
      const accepted = operationId === neverAccepts || met.some((status) => status < 400) ? [] : ['accepted']
      const refused = operationId === refusesByRedirect || met.some((status) => status >= 400) ? [] : ['refused']
      return [...accepted, ...refused].map((what) => `${operationId} never ${what}: ${met.join()}`)
    })
    expect(lacking).toEqual([])
  })

  it('the server is healthy and ready', async () => {
    for (const path of ['/healthz', '/readyz']) expect((await theirs.get(path)).status).toBe(200)
  })

  it("another agency's data are unchanged", async () => {
    expect(await seenBy(theirs)).toEqual(before)
  })

  it("every event's hash chains to the event before it", async () => {
    const { problems, ledger } = await verifyLog(server.commands.ports.events, [])
    expect(problems).toEqual([])
    expect(ledger.events).toBeGreaterThan(only === null ? requests / 20 : 10)
  })

  it('every view matches the log', async () => {
    await server.close()
    const { events, store, close } = await (storesFor(server.dataDir) ?? (() => openFiles(server.dataDir)))()
    for (const projection of projections) {
      const differences = await verifyProjection(projection, events, store)
      expect({ name: projection.name, differences }).toEqual({ name: projection.name, differences: [] })
    }
    await close()
  })
})
