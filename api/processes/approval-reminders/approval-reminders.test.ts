import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { testHashing } from '../../features/auth/test/hashing.ts'
import { patience } from '../../../domain/test/patience.ts'
import type { JsonObject } from '../../../domain/core/event.ts'
import { Users } from '../../features/auth/users.ts'
import { reminderComposers, reminderLetterKind } from '../../features/review/reminder-letters.ts'
import { soon } from '../test/helpers.ts'
import { hour, openStage, ownerStep, policyOf, stepId, type Stage } from './test/stage.ts'

let stage: Stage
let clientId: string
let accountId: string
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.remove())
beforeEach(async () => {
  stage.delivered.length = 0
  clientId = await stage.addClient()
  accountId = (await stage.addAccount(clientId, 'facebook', false)).accountId
})

/** A round, and everything that it asked to be sent. */
async function round(): Promise<void> {
  await stage.reminders().round()
  await stage.deliver()
}
const received = (postId: string) =>
  stage.delivered
    .filter((letter) => letter['postId'] === postId)
    .map(({ to, number, purpose }) => [to, number, purpose])
const remove = async () => {
  const removed = await stage.commands.agency(stage.agencyId, { type: 'RemoveClient', clientId }, stage.by)
  if ('refused' in removed) throw new Error(removed.refused.reason)
}

describe('The agency whose trial has ended', () => {
  it('gets no reminder until it pays, and then the last one that it missed', async () => {
    await stage.setPolicy(clientId, policyOf([1, 24, 200]))
    const postId = await stage.pending(clientId, accountId)
    stage.clock.advance(190 * hour)
    await round()
    expect([received(postId), await stage.remindedIn(postId)]).toEqual([[], []])
    await stage.pay()
    await round()
    expect([received(postId), await stage.remindedIn(postId)]).toEqual([[['owner', 2, 'approve']], [2]])
    await stage.act(postId, { type: 'DeletePost', because: 'asked' })
  })
})

describe('A step that waits', () => {
  it('is reminded of at each hour, once, and escalated with the last reminder', async () => {
    const ifSilent = { kind: 'escalate', to: 'owner' } as const
    await stage.setPolicy(clientId, policyOf([1, 2], { ifSilent }))
    const postId = await stage.pending(clientId, accountId)
    await round()
    expect(received(postId)).toEqual([])
    for (const number of [1, 2]) {
      stage.clock.advance(hour)
      for (let times = 0; times < 2; times++) await round()
      expect(await stage.remindedIn(postId)).toHaveLength(number)
    }
    expect(received(postId)).toEqual([
      ['owner', 1, 'approve'],
      ['owner', 2, 'approve'],
    ])
    expect((await stage.eventsOf(`post-${postId}`)).at(-1)).toMatchObject({ type: 'PostStepEscalated' })
    await stage.act(postId, { type: 'ApprovePost', stepId })
  })

  it('has no reminder once it is over, or its client is removed', async () => {
    await stage.setPolicy(clientId, policyOf([1]))
    const [approved, rejected, orphan] = [
      await stage.pending(clientId, accountId),
      await stage.pending(clientId, accountId),
      await stage.pending(clientId, accountId),
    ]
    await stage.act(approved, { type: 'ApprovePost', stepId })
    await stage.act(rejected, { type: 'RejectPost', reason: null })
    await remove()
    stage.clock.advance(2 * hour)
    await round()
    expect(stage.delivered).toEqual([])
    expect(await stage.remindedIn(orphan)).toEqual([])
  })

  it('that no one is left to approve is told to those who can give it to others', async () => {
    const who = { kind: 'members' as const, memberIds: [(await owner()).id] }
    await stage.setPolicy(clientId, policyOf([1], { steps: [{ ...ownerStep, who }], ownApproval: 'refused' }))
    const postId = await stage.pending(clientId, accountId)
    stage.clock.advance(hour)
    await round()
    expect(received(postId)).toEqual([['owner', 1, 'no-approver']])
  })
})

const owner = async () => {
  const { state } = await stage.commands.loadAgency(stage.agencyId)
  const [member] = Object.values(state.team.members)
  if (!member) throw new Error('No owner')
  return member
}

describe("The client's step", () => {
  const clientStep = { ...ownerStep, name: 'The client', who: { kind: 'client' } } as const

  it(
    'is reminded of by a letter to the contacts of a link that shows the post; without one, to the team',
    { tags: 'long' },
    async () => {
      await stage.setPolicy(clientId, policyOf([1, 2], { steps: [clientStep] }))
      const postId = await stage.pending(clientId, accountId)
      stage.clock.advance(hour)
      await round()
      expect(received(postId)).toEqual([['owner', 1, 'no-link']])

      const contactId = uuidv7()
      const about = { clientId, agencyId: stage.agencyId, name: 'Cleo', email: `cleo-${contactId}@client.example` }
      await stage.clientContacts.put({ id: contactId, ...about, enteredBy: 'owner', addedAt: stage.clock.now() })
      await stage.commands.client(clientId, { type: 'AddClientContact', contactId }, stage.by)
      const terms = { clientId, contacts: [contactId], anyone: false, lock: 'none', may: ['approve'] } as const
      const expiresAt = new Date(Date.parse(stage.clock.now()) + 48 * hour).toISOString()
      const issue = async (
        scope: { readonly kind: 'pending' } | { readonly kind: 'month'; readonly month: string },
      ) => {
        const linkId = uuidv7()
        const command = { type: 'IssueReviewLink', ...terms, scope, expiresAt } as const
        const facts = { contactsExist: true, postsExist: true, open: 0, mails: true }
        const issued = await stage.commands.reviewLink(linkId, command, { ...stage.by, clientId }, facts)
        if ('refused' in issued) throw new Error(issued.refused.reason)
        await stage.projector.waitFor(issued.appendedEvents, patience.timeout)
      }
      await issue({ kind: 'month', month: '2020-01' })
      await issue({ kind: 'pending' })
      stage.clock.advance(hour)
      await round()
      expect(received(postId).slice(1)).toEqual([[contactId, 2, 'client']])

      const compose = async (over: JsonObject = {}) => {
        const users = await Users.open(stage.records, stage.clock, testHashing())
        const ports = { ...stage, users, views: () => stage.views, publicUrl: 'https://social.example' }
        const request = { ...(stage.delivered.at(-1) as JsonObject), ...over }
        return reminderComposers(ports)[reminderLetterKind]?.(request)
      }
      expect(await compose()).toMatchObject({ to: about.email })
      // A person who has left, a contact who was removed, and an opening that is over.
      for (const over of [{ to: 'former', purpose: 'approve' }, { to: uuidv7() }, { opening: 7 }])
        expect(await compose(over)).toBeNull()
      await stage.act(postId, { type: 'RejectPost', reason: null })
      expect(await compose()).toBeNull()
    },
  )
})

it('Posts that can not be reminded of do not keep the others from it', async () => {
  await stage.setPolicy(clientId, policyOf([1]))
  for (let count = 0; count < 3; count++) await stage.pending(clientId, accountId)
  await remove()
  clientId = await stage.addClient()
  accountId = (await stage.addAccount(clientId, 'facebook', false)).accountId
  await stage.setPolicy(clientId, policyOf([1]))
  stage.clock.advance(1)
  const behind = await stage.pending(clientId, accountId)
  stage.clock.advance(hour)
  const process = stage.reminders({ config: { postsAtATime: 1, pollMs: 1 } })
  process.start()
  await vi.waitFor(async () => expect(await stage.remindedIn(behind)).toEqual([1]), soon)
  await process.stop()
})
