/** No letter leaves twice, whenever processes die, however many run, and wherever the clock jumps. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sample, seedOr } from '../../../domain/test/sample.ts'
import type { LetterBox } from '../../features/mail/letter-record.ts'
import { hour, openStage, policyOf, stepId, type Stage } from './test/stage.ts'

const runs = sample('REMINDERS', { test: 15, long: 200 })

let stage: Stage
let account: { readonly clientId: string; readonly accountId: string }
beforeAll(async () => {
  stage = await openStage()
  await stage.pay()
  account = await stage.addAccount(await stage.addClient(), 'facebook', false)
  await stage.setPolicy(account.clientId, policyOf([1, 5, 24]))
})
afterAll(() => stage.remove())

class Killed extends Error {}

/** A process that dies before or after one of its writes: the letter is the first, the event the second. */
function dying(at: { readonly write: number; readonly isAfter: boolean } | null) {
  let writes = 0
  const write = async <T>(act: () => Promise<T>): Promise<T> => {
    const isLast = at !== null && writes++ === at.write
    if (isLast && !at.isAfter) throw new Killed()
    const done = await act()
    if (isLast) throw new Killed()
    return done
  }
  const { commands, letters } = stage
  const enqueue: LetterBox['enqueue'] = (letter) => write(() => letters.enqueue(letter))
  const post: typeof commands.post = (...asked) => write(() => commands.post(...asked))
  return stage.reminders({ letters: { enqueue }, commands: { ...commands, post } })
}

type Act =
  | { readonly kind: 'wait'; readonly hours: number }
  | { readonly kind: 'round'; readonly processes: number; readonly dies: Parameters<typeof dying>[0] }
  | { readonly kind: 'deliver' | 'resubmit' }
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait'), hours: fc.constantFrom(-30, -2, 1, 1, 4, 20) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('round'),
      processes: fc.constantFrom(1, 1, 2),
      dies: fc.option(fc.record({ write: fc.constantFrom(0, 1), isAfter: fc.boolean() })),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'deliver' }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'resubmit' }) },
) as fc.Arbitrary<Act>

it(
  'no person gets a letter about one step, opening and hour twice, over many lives [S231]',
  { tags: 'long' },
  async () => {
    let reminded = 0
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25, size: 'max' }), async (acts) => {
        const postId = await stage.pending(account.clientId, account.accountId)
        for (const taken of acts) {
          if (taken.kind === 'wait') stage.clock.advance(taken.hours * hour)
          if (taken.kind === 'deliver') await stage.deliver()
          if (taken.kind === 'resubmit') {
            await stage.act(postId, { type: 'ReturnPostToDraft' })
            await stage.act(postId, { type: 'SubmitPost' })
          }
          if (taken.kind === 'round')
            await Promise.all(Array.from({ length: taken.processes }, () => dying(taken.dies).round()))
        }
        // Behind each letter that was asked for while the clock was ahead.
        stage.clock.advance(100 * hour)
        await stage.reminders().round()
        await stage.deliver()
        const letters = stage.delivered.filter((letter) => letter['postId'] === postId)
        const keys = letters.map(({ version, opening, number, to }) => [version, opening, number, to].join(' '))
        expect(new Set(keys).size).toBe(keys.length)
        // Each hour that the log has was sent, and none is recorded twice.
        const { round } = await stage.post(postId)
        const recorded = (await stage.eventsOf(`post-${postId}`)).filter(({ type }) => type === 'PostStepReminded')
        expect(letters.length).toBeGreaterThanOrEqual(recorded.length)
        expect(round?.reminders?.number ?? 0).toBeLessThanOrEqual(3)
        reminded += recorded.length
        await stage.act(postId, { type: 'ApprovePost', stepId })
      }),
      { seed: seedOr(11), numRuns: runs },
    )
    expect(reminded).toBeGreaterThan(runs / 2)
  },
)
