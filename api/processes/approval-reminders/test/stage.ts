/** A paying agency with a client, and what its outbox delivers. */
import { v7 as uuidv7 } from 'uuid'
import type { ApprovalPolicy } from '../../../../domain/core/approval-policy.ts'
import type { PostCommand } from '../../../../domain/post/commands.ts'
import { patience } from '../../../../domain/test/patience.ts'
import { Letters } from '../../../features/mail/letters.ts'
import { openWorld } from '../../test/helpers.ts'
import { createApprovalReminders, type ApprovalRemindersPorts } from '../approval-reminders.ts'

export const hour = 3_600_000
export const stepId = '0195a000-0000-7000-8000-0000000000e1'
export const ownerStep = {
  id: stepId,
  name: 'The owner',
  who: { kind: 'role', role: 'owner' },
  need: 'any',
} as const satisfies ApprovalPolicy['steps'][number]
export const policyOf = (
  remindAfterHours: number[],
  over: Partial<ApprovalPolicy> = {},
): Pick<ApprovalPolicy, 'remindAfterHours'> & ApprovalPolicy => ({
  steps: [ownerStep],
  ownApproval: 'agency',
  timePart: { kind: 'free' },
  remindAfterHours,
  ...over,
})

export type Stage = Awaited<ReturnType<typeof openStage>>

export async function openStage() {
  const world = await openWorld()
  const { commands, by, agencyId, clock, projector } = world
  const letters = await Letters.open(world.records, world.cipher, clock)
  /** The requests of the letters that left. */
  const delivered: Readonly<Record<string, unknown>>[] = []

  const done = async (asked: ReturnType<typeof commands.post> | ReturnType<typeof commands.client>) => {
    const outcome = await asked
    if ('refused' in outcome) throw new Error(outcome.refused.reason)
    await projector.waitFor(outcome.appendedEvents, patience.timeout)
  }

  return {
    ...world,
    letters,
    delivered,

    async pay(): Promise<void> {
      const paid = await commands.agency(
        agencyId,
        {
          type: 'RecordSubscription',
          heard: 'told',
          subscriptionId: 'sub_1',
          customerId: 'cus_1',
          status: 'active',
          currentPeriodEnd: '2036-05-01T00:00:00.000Z',
          endsWithPeriod: false,
          begunAt: clock.now(),
          asOf: clock.now(),
        },
        by,
      )
      if ('refused' in paid) throw new Error(paid.refused.reason)
    },

    act: (postId: string, command: PostCommand) => done(commands.post(postId, command, by)),
    setPolicy: (clientId: string, policy: ApprovalPolicy) =>
      done(commands.client(clientId, { type: 'SetApprovalPolicy', policy }, by)),

    /** A post that waits under the client's policy. */
    async pending(clientId: string, accountId: string): Promise<string> {
      const postId = uuidv7()
      const writing = { postId, clientId, accountId, platform: 'facebook', content: 'Autumn breads' } as const
      const rest = { imageUrl: null, scheduledFor: null, as: 'pending', generation: null, plan: null } as const
      await done(commands.post(postId, { type: 'WritePost', ...writing, ...rest }, by))
      return postId
    },

    reminders: (over: Partial<ApprovalRemindersPorts> = {}) =>
      createApprovalReminders({ ...world, letters, isReachable: async () => true, config: { pollMs: 1 }, ...over }),

    /** Sends what is due, as a letter sender does. */
    async deliver(): Promise<void> {
      for (let due = await letters.due(50); due.length > 0; due = await letters.due(50))
        for (const letter of due) {
          const claimed = await letters.claim(letter)
          if (claimed?.content.request) delivered.push(claimed.content.request)
          if (claimed) await letters.sent(claimed)
        }
    },

    remindedIn: async (postId: string) =>
      (await world.eventsOf(`post-${postId}`)).flatMap((fact) =>
        fact.type === 'PostStepReminded' && 'number' in fact.data ? [fact.data.number] : [],
      ),
  }
}
