/**
 * For random commands, the log remains a valid hash chain: through the real handler, on a real store.
 *
 * @module-tag long
 */
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../test/folder.ts'
import type { CommandContext } from '../../api/core/command-handler.ts'
import { createCommands } from '../../api/features/commands.ts'
import type { AgencyCommand } from '../agency/commands.ts'
import { profile } from '../agency/test/examples.ts'
import { agencyCommand, clientCommand, clockAt, postCommand, sampleCommand } from '../test/arbitraries.ts'
import type { ClientCommand } from '../client/commands.ts'
import { addAccount } from '../client/test/examples.ts'
import type { StoredEvent } from '../core/event.ts'
import type { PostCommand } from '../post/commands.ts'
import { write } from '../post/test/examples.ts'
import type { SampleCommand } from '../sample/commands.ts'
import { flawIn } from './chain.ts'
import { openEmbeddedEventStore } from './embedded.ts'
import { all } from './test/samples.ts'

const clientId = 'id-1'
const runs = 40

/** A named type: the inferred union has more members than the compiler accepts. */
type Asked =
  | { readonly of: 'agency'; readonly command: AgencyCommand }
  | { readonly of: 'client'; readonly command: ClientCommand }
  | { readonly of: 'sample'; readonly command: SampleCommand }
  | { readonly of: 'post'; readonly command: PostCommand }

const asked: fc.Arbitrary<Asked> = fc.oneof(
  fc.record({ of: fc.constant('agency' as const), command: agencyCommand }),
  fc.record({ of: fc.constant('client' as const), command: clientCommand }),
  fc.record({ of: fc.constant('sample' as const), command: sampleCommand }),
  { weight: 3, arbitrary: fc.record({ of: fc.constant('post' as const), command: postCommand }) },
)
// The clock may be set back, like a real one.
const requests = fc.array(fc.record({ asked, at: fc.integer({ min: 0, max: 3_000 }) }), {
  minLength: 5,
  maxLength: 60,
  size: 'max',
})

it('Every stream’s revisions, times and hashes are valid, even when commands race and the clock is set back', async () => {
  const lengths: number[] = []
  await fc.assert(
    fc.asyncProperty(requests, async (taken) => {
      const folder = await temporaryFolder('chain')
      const events = await openEmbeddedEventStore(join(folder, 'events.db'))
      let minutes = 0
      const commands = createCommands({
        events,
        clock: { now: () => clockAt(minutes) },
        freeSlot: async () => clockAt(minutes + 60),
      })
      const by: CommandContext = { actor: { type: 'user', id: 'owner' }, agencyId: 'agency', correlationId: 'c' }
      await commands.agency(
        'agency',
        { type: 'OpenAgency', agencyId: 'agency', ownerId: 'owner', name: 'North Star', timeZone: 'UTC' },
        by,
      )
      await commands.agency('agency', { type: 'AddClient', clientId, profile }, by)
      await commands.client(clientId, { ...addAccount, accountId: 'id-1' }, by)
      await commands.post('post', { ...write, clientId, accountId: 'id-1' }, by)
      for (let i = 0; i < taken.length; i += 2) {
        // In pairs, so that some race for one revision.
        await Promise.all(
          taken.slice(i, i + 2).map(({ asked: request, at }): Promise<unknown> => {
            minutes = at
            if (request.of === 'agency') return commands.agency('agency', request.command, by)
            if (request.of === 'client') return commands.client(clientId, request.command, by)
            if (request.of === 'sample') return commands.sample(clientId, request.command, by)
            return commands.post('post', request.command, by)
          }),
        )
      }
      for (const stream of ['agency-agency', `client-${clientId}`, `sample-${clientId}`, 'post-post']) {
        const stored: StoredEvent[] = await all(events.read(stream))
        lengths.push(stored.length)
        expect(flawIn(stream, stored)).toBeNull()
        expect(stored.map(({ revision }) => revision)).toEqual(stored.map((_, index) => index))
        const times = stored.map(({ metadata }) => metadata.at)
        expect(times).toEqual(times.toSorted())
        expect(new Set(stored.map(({ metadata }) => metadata.eventId)).size).toBe(stored.length)
        for (const [index, event] of stored.entries()) {
          const altered = stored.with(index, { ...event, metadata: { ...event.metadata, correlationId: 'other' } })
          expect(flawIn(stream, altered)).toEqual({ revision: index, problem: 'changed' })
        }
      }
      await events.close()
      await removeFolder(folder)
    }),
    { numRuns: runs },
  )
  // Five of each run's events are its setup; the commands must have added more.
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(1.5 * 5 * runs)
})
