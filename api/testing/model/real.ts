/** The two agencies as the server has them: every action over HTTP, and what is seen afterwards. */
import { vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { ApiClient, type HttpReply } from '../../http/client.ts'
import type { FakeStripe } from '../../features/billing/test/fake-stripe.ts'
import { owner, type TestServer } from '../server.ts'
import type { RouteName } from '../../contract/index.ts'
import type { Action } from './actions.ts'
import { day, newWorld, sides, type Link, type Post, type Seen, type Side, type World } from './world.ts'

interface Person {
  readonly caller: ApiClient
  /** Of the last subscription. */
  subscription: string | null
}

const unknownId = '0195a000-0000-7000-8000-00000000dead'
/** The same in every policy: a post keeps those of its own. */
const stepIds = ['0195a000-0000-7000-8000-0000000000e1', '0195a000-0000-7000-8000-0000000000e2'] as const
const policyOf = (steps: number) => ({
  steps: stepIds
    .slice(0, steps)
    .map((id) => ({ id, name: 'The owner', who: { kind: 'role', role: 'owner' } as const, need: 'any' as const })),
  ownApproval: 'agency' as const,
  timePart: { kind: 'free' as const },
})
const iso = (at: number) => new Date(at).toISOString()
type Sending = NonNullable<Parameters<ApiClient['ask']>[1]>

export class Real {
  readonly #ids = new Map<string, string>()
  readonly #keys = new Map<string, string>()
  /** What opens a link, by its key. */
  readonly #tokens = new Map<string, string>()
  private constructor(
    readonly server: TestServer,
    readonly stripe: FakeStripe,
    readonly people: Readonly<Record<Side, Person>>,
  ) {}

  static async begin(server: TestServer, stripe: FakeStripe): Promise<{ readonly real: Real; readonly world: World }> {
    const [a, b] = await Promise.all(
      sides.map(async () => ({ caller: await owner(server, 'UTC'), subscription: null })),
    )
    if (!a || !b) throw new Error('Nobody')
    const [first, second] = await Promise.all(
      [a, b].map(async ({ caller }) => Date.parse((await caller.callOrThrow('getAgency')).trialEndsAt ?? '')),
    )
    return { real: new Real(server, stripe, { a, b }), world: newWorld({ a: first ?? 0, b: second ?? 0 }) }
  }

  now = (): number => Date.parse(this.server.clock.now())

  /** The answer's status, and the key of what it tells of; a new one is called as it is told here. */
  async act(action: Action, key: string, now: number): Promise<{ readonly status: number; readonly thing?: string }> {
    if (action.kind === 'pay') return this.#pay(action.side)
    if (action.kind === 'cancel') return this.#cancel(action.side)
    const reply = await this.#ask(action, now)
    if (reply.status !== 201) return { status: reply.status }
    const { id, url } = JSON.parse(reply.text) as { readonly id: string; readonly url?: string }
    const thing = this.#keys.get(id) ?? key
    this.#keys.set(id, thing)
    this.#ids.set(thing, id)
    if (action.kind === 'issueLink') this.#tokens.set(thing, url?.split('/').at(-1) ?? '')
    return { status: reply.status, thing }
  }

  #id = (key: string) => this.#ids.get(key) ?? unknownId

  async #ask(action: Exclude<Action, { kind: 'pay' | 'cancel' }>, now: number): Promise<HttpReply> {
    const { caller } = this.people[action.side]
    const on = (name: RouteName, key: string, sending: Sending = {}) =>
      caller.ask(name, { ...sending, params: { id: this.#id(key) } })
    const change = async (body: unknown) =>
      on('changePost', 'post' in action ? action.post : '', {
        body,
        headers: 'match' in action && action.match !== null ? { 'If-Match': `"${action.match}"` } : {},
      })
    const at = (when: number | null) => (when === null ? null : iso(now + when * day))
    switch (action.kind) {
      case 'addClient':
        return caller.ask('addClient', {
          body: { name: action.name },
          headers: action.sentAs === null ? {} : { 'Idempotency-Key': action.sentAs },
        })
      case 'renameClient':
        return on('reviseClient', action.client, { body: { name: action.name } })
      case 'setPolicy':
        return on('setApprovalPolicy', action.client, { body: policyOf(action.steps) })
      case 'removeClient':
        return on('removeClient', action.client)
      case 'addAccount':
        return on('addSocialAccount', action.client, { body: { platform: action.platform, accountName: action.name } })
      case 'writePost':
        return on('writePost', action.client, {
          body: {
            socialAccountId: this.#id(action.account),
            content: action.content,
            scheduledFor: at(action.when),
            status: action.as,
          },
        })
      case 'editPost':
        return change({ content: action.content })
      case 'movePost':
        return change({ scheduledFor: at(action.when) })
      case 'submitPost':
        return change({ status: 'pending' })
      case 'approvePost':
        return change({ status: 'approved', stepId: stepIds[action.step] })
      case 'skipStep':
        return caller.ask('skipStep', {
          params: { id: this.#id(action.post), stepId: stepIds[action.step] ?? unknownId },
          body: { reason: 'On leave' },
        })
      case 'reassignStep': {
        const { me } = await caller.callOrThrow('getAgency')
        return caller.ask('reassignStep', {
          params: { id: this.#id(action.post), stepId: stepIds[action.step] ?? unknownId },
          body: { memberIds: [me.memberId], reason: 'On leave' },
        })
      }
      case 'rejectPost':
        return change({ status: 'rejected', ...(action.reason === null ? {} : { reason: action.reason }) })
      case 'schedulePost':
        return change({ status: 'scheduled', scheduledFor: at(action.when) })
      case 'returnPost':
        return change({ status: 'draft' })
      case 'releasePost':
        return on('releasePost', action.post, { body: { scheduledFor: at(action.when) } })
      case 'retryPost':
        return on('retryPost', action.post, { body: { scheduledFor: at(action.when) } })
      case 'deletePost':
        return on('deletePost', action.post)
      case 'issueLink':
        return caller.ask('issueAuditorLink', {
          body: {
            label: 'Audit',
            scope: action.client === null ? { kind: 'agency' } : { kind: 'client', clientId: this.#id(action.client) },
            expiresAt: iso(now + action.days * day),
          },
        })
      case 'revokeLink':
        return on('revokeAuditorLink', action.link)
      case 'openLink':
        return new ApiClient(this.server.url).ask('openAuditorLink', {
          params: { token: this.#tokens.get(action.link) ?? 'none' },
        })
      case 'wait':
        this.server.clock.advance(action.days * day)
        return caller.ask('getUser')
    }
  }

  async #pay(side: Side): Promise<{ readonly status: number }> {
    const { caller } = this.people[side]
    // The provider tells times in seconds.
    this.server.clock.advance(2_000)
    const { status, text } = await caller.ask('openCheckout')
    if (status !== 200) return { status }
    await fetch((JSON.parse(text) as { url: string }).url, { method: 'POST', redirect: 'manual' })
    this.people[side].subscription = [...this.stripe.subscriptions.keys()].at(-1) ?? null
    return { status }
  }

  async #cancel(side: Side): Promise<{ readonly status: number }> {
    const { subscription: id } = this.people[side]
    this.server.clock.advance(2_000)
    if (id === null || this.stripe.subscriptions.get(id)?.status === 'canceled') return { status: 200 }
    this.stripe.set({ id, status: 'canceled' })
    return { status: await this.stripe.deliver(this.stripe.message('customer.subscription.deleted', id)) }
  }

  /** Until the publisher has looked at what fell due. */
  async settled(world: World): Promise<void> {
    for (const [key, { held, deleted, client }] of Object.entries(world.posts)) {
      const owner = world.clients[client]
      if (!held || deleted || !owner || owner.removed) continue
      await vi.waitFor(
        async () => {
          if (
            (await this.people[owner.side].caller.callOrThrow('getPost', { params: { id: this.#id(key) } }))
              .delivery !== 'held'
          )
            throw new Error(`${key} is not held yet`)
        },
        { ...patience, interval: 5 },
      )
    }
  }

  /** Everything that a side's screens list; unknown things are named by their id. */
  async seen(side: Side): Promise<Seen> {
    const { caller } = this.people[side]
    const [agency, clients, links] = await Promise.all([
      caller.callOrThrow('getAgency'),
      caller.callOrThrow('listClients'),
      caller.callOrThrow('listAuditorLinks'),
    ])
    const posts: Record<string, Omit<Post, 'deleted'>> = {}
    const accounts: Record<string, string> = {}
    await Promise.all(
      clients.map(async ({ id }) => {
        const params = { id }
        const [listed, known] = await Promise.all([
          caller.callOrThrow('listPosts', { params }),
          caller.callOrThrow('listSocialAccounts', { params }),
        ])
        for (const { id: accountId, platform, accountName } of known)
          accounts[this.#key(accountId)] = `${platform} ${accountName}`
        for (const post of listed) {
          const { status, delivery, content, scheduledFor, rejectionReason, revision, socialAccountId, steps } = post
          posts[this.#key(post.id)] = {
            client: this.#key(id),
            account: this.#key(socialAccountId),
            content,
            status: status as Post['status'],
            held: delivery === 'held',
            at: scheduledFor === null ? null : Date.parse(scheduledFor),
            reason: rejectionReason,
            round: steps && {
              steps: steps.length,
              settled: steps.filter(({ state }) => state === 'approved' || state === 'skipped').length,
              reassigned: steps.flatMap(({ reassigned }, index) => (reassigned ? [index] : [])),
            },
            revision,
          }
        }
      }),
    )
    return {
      standing: agency.standing as Seen['standing'],
      clients: Object.fromEntries(clients.map(({ id, name }) => [this.#key(id), name])),
      accounts,
      posts,
      links: Object.fromEntries(
        links.map(({ id, state }) => [this.#key(id), state satisfies 'open' | 'expired' | 'revoked' as never]),
      ) as Readonly<Record<keyof Readonly<Record<string, Link>>, 'open' | 'expired' | 'revoked'>>,
    }
  }

  #key = (id: string) => this.#keys.get(id) ?? id

  /** The history of each post that is there: no gap, and its end is what is shown. */
  async histories(world: World): Promise<string[]> {
    const flaws: string[] = []
    for (const [key, { client, deleted, status, content, revision }] of Object.entries(world.posts)) {
      const owner = world.clients[client]
      if (!owner || owner.removed) continue
      const entries = await this.people[owner.side].caller.callOrThrow('getPostHistory', {
        params: { id: this.#id(key) },
      })
      const last = entries.at(-1)
      if (entries.some((entry, index) => entry.revision !== index)) flaws.push(`${key} has a gap`)
      if (last?.status !== status || last.content !== content || last.deleted !== deleted)
        flaws.push(`${key} ends as ${last?.status}, not as ${status}`)
      if (!deleted && last?.revision !== revision) flaws.push(`${key} has revision ${last?.revision}, not ${revision}`)
    }
    return flaws
  }
}
