import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as a from '../../domain/generation/test/examples.ts'
import type { Happened } from '../core/test/specification.ts'
import { specification } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { usageProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(usageProjection, () => stores.store)

const written = (at: string, by: Partial<typeof a.generation> = {}, where: Partial<Happened> = {}): Happened => ({
  stream: 'client-1',
  at,
  fact: { type: 'ContentGenerated', data: { ...a.generation, ...by } },
  ...where,
})
const ai = { writer: 'openai', model: 'gpt-x', tokens: 120 }

describe("An agency's usage of writers", () => {
  it("is counted by month, writer and model, over all of the agency's clients", async () => {
    const past = given(
      written('2026-02-28T23:59:59.999Z', ai),
      written('2026-03-01T00:00:00.000Z', ai),
      written('2026-03-02T10:00:00.000Z', { ...ai, tokens: 80 }, { stream: 'client-2' }),
      written('2026-03-02T10:00:00.000Z'),
      written('2026-03-03T10:00:00.000Z', { ...ai, model: 'gpt-y', tokens: null }),
    )
    expect(await past.shows()).toEqual([
      {
        id: 'agency-1:2026-02',
        agencyId: 'agency-1',
        month: '2026-02',
        texts: 1,
        tokens: 120,
        writers: [{ writer: 'openai', model: 'gpt-x', texts: 1, tokens: 120 }],
      },
      {
        id: 'agency-1:2026-03',
        agencyId: 'agency-1',
        month: '2026-03',
        texts: 4,
        tokens: 200,
        writers: [
          { writer: 'openai', model: 'gpt-x', texts: 2, tokens: 200 },
          { writer: 'template', model: null, texts: 1, tokens: 0 },
          { writer: 'openai', model: 'gpt-y', texts: 1, tokens: 0 },
        ],
      },
    ])
  })
  it("does not include another agency's usage", async () => {
    const past = given(
      written('2026-03-01T00:00:00.000Z'),
      written('2026-03-01T00:00:00.000Z', ai, { stream: 'client-9', agencyId: 'agency-2' }),
    )
    expect(await past.shows()).toMatchObject([
      { agencyId: 'agency-1', texts: 1, tokens: 0 },
      { agencyId: 'agency-2', texts: 1, tokens: 120 },
    ])
  })
})
