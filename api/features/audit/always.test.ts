/**
 * Properties that hold for any sequence of commands: the past stays the same, the read models match the log, and an
 * export verifies.
 *
 * @module-tag sampled
 */
import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AgencyCommand } from '../../../domain/agency/commands.ts'
import { profile } from '../../../domain/agency/test/examples.ts'
import { agencyCommand, clientCommand, clockAt, postCommand } from '../../../domain/test/arbitraries.ts'
import type { ClientCommand } from '../../../domain/client/commands.ts'
import { addAccount } from '../../../domain/client/test/examples.ts'
import type { StoredEvent } from '../../../domain/core/event.ts'
import { recorded } from '../../../domain/event-store/catalogue.ts'
import type { PostCommand } from '../../../domain/post/commands.ts'
import { write } from '../../../domain/post/test/examples.ts'
import { Projector } from '../../../projections/core/projector.ts'
import { temporaryStores } from '../../../projections/core/test/helpers.ts'
import { postsProjection } from '../../../projections/posts/projection.ts'
import type { PostView } from '../../../projections/posts/view.ts'
import { projections, viewsOf } from '../../../projections/registry.ts'
import { verifyProjection } from '../../../projections/verify.ts'
import type { CommandContext } from '../../core/command-handler.ts'
import { createCommands } from '../commands.ts'
import { exportLines } from './export.ts'
import { Past } from '../history/past.ts'
import { Signer } from './signing.ts'
import { bytesOf } from './test/helpers.ts'
import { verifyFile } from '../../operations/audit/verify-file.ts'
import { sample } from '../../../domain/test/sample.ts'
import { pageBounds } from '../../http/paging.ts'

const clientId = 'id-1'
const agencyId = 'agency'
const postIds = ['id-1', 'id-2'] as const
const runs = sample('AUDIT_RUNS', { test: 7, long: 100 })

type Asked =
  | { readonly of: 'agency'; readonly command: AgencyCommand }
  | { readonly of: 'client'; readonly command: ClientCommand }
  | { readonly of: 'post'; readonly postId: string; readonly command: PostCommand }

const asked: fc.Arbitrary<Asked> = fc.oneof(
  fc.record({
    of: fc.constant('agency' as const),
    command: agencyCommand.filter(({ type }) => type !== 'RemoveClient'),
  }),
  fc.record({ of: fc.constant('client' as const), command: clientCommand }),
  {
    weight: 4,
    arbitrary: fc.record({
      of: fc.constant('post' as const),
      postId: fc.constantFrom(...postIds),
      command: postCommand,
    }),
  },
)
const requests = fc.array(fc.record({ asked, wait: fc.integer({ min: 0, max: 200 }) }), {
  minLength: 80,
  maxLength: 200,
  size: 'max',
})

/** The post's view, folded afresh from these events. */
function folded(events: readonly StoredEvent[], id: string): PostView | null {
  let doc: PostView | null = null
  for (const stored of events) {
    const event = recorded(stored)
    if (postsProjection.types.includes(event.type)) doc = postsProjection.apply(doc, event as never, id)
  }
  return doc
}

it('over random histories', { timeout: 120_000 + runs * 5_000 }, async () => {
  const signer = await Signer.open({ current: randomBytes(32), others: [] })
  let [lived, moments] = [0, 0]
  await fc.assert(
    fc.asyncProperty(requests, async (taken) => {
      const stores = await temporaryStores()
      let minutes = 0
      const commands = createCommands({
        events: stores.events,
        clock: { now: () => clockAt(minutes) },
        freeSlot: async () => clockAt(minutes + 60),
      })
      const by: CommandContext = { actor: { type: 'user', id: 'o' }, agencyId, correlationId: 'c' }
      await commands.agency(
        agencyId,
        { type: 'OpenAgency', agencyId, ownerId: 'o', name: 'North Star', timeZone: 'UTC' },
        by,
      )
      await commands.agency(agencyId, { type: 'AddClient', clientId, profile }, by)
      await commands.client(clientId, { ...addAccount, accountId: 'id-1' }, by)
      for (const postId of postIds) await commands.post(postId, { ...write, postId, clientId, accountId: 'id-1' }, by)
      for (const { asked: request, wait } of taken) {
        minutes += wait
        if (request.of === 'agency') await commands.agency(agencyId, request.command, by)
        else if (request.of === 'client') await commands.client(clientId, request.command, by)
        else await commands.post(request.postId, request.command, by)
      }

      const projector = new Projector(projections, { ...stores, onError: (_, error) => Promise.reject(error) })
      await projector.start()
      const views = viewsOf(stores.store, projector.live)
      const past = new Past(stores.events, views)
      const scope = { agencyId, clientId: null }
      const log: StoredEvent[] = []
      for await (const batch of stores.events.readAll(null)) log.push(...batch)
      for (const at of new Set(log.map(({ metadata }) => metadata.at))) {
        const then = log.filter(({ metadata }) => metadata.at <= at)
        const fresh = postIds.map((id) =>
          folded(
            then.filter(({ stream }) => stream === `post-${id}`),
            id,
          ),
        )
        expect(await Promise.all(postIds.map((id) => past.post(postsProjection, scope, id, at)))).toEqual(fresh)
        const there = fresh.flatMap((post) => post ?? []).map(({ id }) => id)
        expect(
          (
            await past.posts(
              postsProjection,
              { scope: { agencyId, clientId }, at, cursor: undefined, bounds: pageBounds },
              async ({ id }) => id,
              async () => undefined,
            )
          ).body.toSorted(),
        ).toEqual(there.toSorted())
        moments += 1
      }
      // The present is the last moment of the past.
      const now = clockAt(minutes + 1_000_000)
      expect(await Promise.all(postIds.map((id) => past.post(postsProjection, scope, id, now)))).toEqual(
        await Promise.all(postIds.map((id) => views.posts.get(id))),
      )

      let file = ''
      const filters = { from: null, to: null, clientId: null, status: null }
      for await (const line of exportLines(
        { events: stores.events, views, signer, checkpoint: async () => null },
        { scope, filters, format: 'jsonl', at: now },
      ))
        file += line
      const { problems, events } = await verifyFile(bytesOf(file), signer.jwks)
      expect({ problems, events }).toEqual({ problems: [], events: log.length })

      await projector.stop()
      for (const projection of projections) {
        expect({
          name: projection.name,
          differences: await verifyProjection(projection, stores.events, stores.store, {}),
        }).toEqual({ name: projection.name, differences: [] })
      }
      lived += log.length
      await stores.remove()
    }),
    { numRuns: runs },
  )
  // The setup appends six events; the commands must have appended more, at many moments.
  expect(lived).toBeGreaterThan(2 * 6 * runs)
  expect(moments).toBeGreaterThan(3 * runs)
})
