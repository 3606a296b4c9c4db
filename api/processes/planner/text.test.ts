import { afterEach, beforeEach, expect, it } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { profile } from '../../../domain/agency/test/examples.ts'
import { generation } from '../../../domain/generation/test/examples.ts'
import { idFromKey } from '../../core/agency-id.ts'
import type { Writer } from '../../features/writer/port.ts'
import { recordAsBefore } from '../../testing/generations.ts'
import { openWorld, type World } from '../test/helpers.ts'
import { textFor } from './text.ts'

let world: World
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.remove())

it('A text that an earlier version recorded before it died is used for its slot, not written and paid for again', async () => {
  const clientId = await world.addClient()
  const postId = uuidv7()
  const earlier = { ...generation, generationId: idFromKey(world.agencyId, 'planned-text', postId) }
  await recordAsBefore(world.commands, clientId, world.by, [earlier])
  const writer: Writer = {
    source: 'template',
    model: null,
    write: async () => {
      throw new Error('Nothing is to be written')
    },
  }
  const wanted = { postId, clientId, profile, platform: 'facebook', topic: 'News', before: [] } as const
  const text = await textFor({ ...world, writer } as never, wanted, world.by, new AbortController().signal)
  expect(text).toMatchObject({ content: earlier.content, generation: { generationId: earlier.generationId } })
})
