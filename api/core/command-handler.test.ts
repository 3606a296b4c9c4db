import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { EventStore } from '../../domain/event-store/port.ts'
import { temporaryStores, type TestStores } from '../../projections/core/test/helpers.ts'
import { createCommands } from '../features/commands.ts'
import type { CommandContext } from './command-handler.ts'

const agencyId = 'north-star'
const by: CommandContext = { actor: { type: 'user', id: 'owner' }, agencyId, correlationId: 'c' }
const opening = { type: 'OpenAgency', agencyId, ownerId: 'owner', name: 'North Star', timeZone: 'UTC' } as const
const now = () => '2026-03-02T10:00:00.000Z'
const lagMs = 250

let on: TestStores
beforeEach(async () => {
  on = await temporaryStores()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await on.remove()
})

const commandsOn = (events: EventStore) =>
  createCommands({ events, clock: { now }, freeSlot: async (_, __, ___, from) => from })

it('A command that conflicts is tried again after growing waits, until reads show what it conflicts with', async () => {
  await commandsOn(on.events).agency(agencyId, opening, by)
  let elapsedMs = 0
  let appends = 0
  const lagging: EventStore = Object.assign(Object.create(on.events) as EventStore, {
    async *read(...asked: Parameters<EventStore['read']>) {
      if (elapsedMs >= lagMs) yield* on.events.read(...asked)
    },
    append(...asked: Parameters<EventStore['append']>) {
      appends += 1
      return on.events.append(...asked)
    },
  })
  const outcome = commandsOn(lagging).agency(agencyId, opening, by)
  const isOver = outcome.then(
    () => true,
    () => true,
  )
  while (!(await Promise.race([isOver, vi.advanceTimersByTimeAsync(1).then(() => false)]))) elapsedMs += 1
  expect(await outcome).toEqual({ refused: { reason: 'agency-exists' } })
  expect(appends).toBeLessThan(20)
})
