/**
 * One golden file per stored name, never edited: every stored event must stay readable for ever. The states that they
 * fold to are in `test/golden-states`; `npx vitest run domain/golden.test.ts -u` writes them after a change of a state.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { agencyDecider } from './agency/decider.ts'
import * as agency from './agency/test/examples.ts'
import { agencyHistory } from './agency/history.ts'
import { clientDecider } from './client/decider.ts'
import * as client from './client/test/examples.ts'
import { clientHistory } from './client/history.ts'
import type { Fact, JsonObject } from './core/event.ts'
import { UnknownEvent, type History } from './core/history.ts'
import { events as catalogue } from './event-store/catalogue.ts'
import { generationDecider } from './generation/decider.ts'
import { generationHistory } from './generation/history.ts'
import { postDecider } from './post/decider.ts'
import { pasts } from './post/test/examples.ts'
import { postHistory } from './post/history.ts'
import { sampleDecider } from './sample/decider.ts'
import { auditorLinkDecider } from './auditor-link/decider.ts'
import { auditorLinkHistory } from './auditor-link/history.ts'
import { reviewLinkDecider } from './review-link/decider.ts'
import { reviewLinkHistory } from './review-link/history.ts'
import { discussionDecider } from './discussion/decider.ts'
import { discussionHistory } from './discussion/history.ts'
import { posted } from './discussion/test/examples.ts'
import { sampleHistory } from './sample/history.ts'

interface Aggregate {
  readonly history: History
  /** The states after the event alone, and after a plausible past and the event. */
  readonly evolve: (fact: Fact) => readonly unknown[]
}

const trying =
  <State, Event extends Fact>(
    decider: { readonly initial: State; readonly evolve: (state: State, event: Event) => State },
    past: readonly Event[],
  ) =>
  (fact: Fact) =>
    [[], past].map((before) => [...before, fact as Event].reduce(decider.evolve, decider.initial))

const aggregates: Readonly<Record<string, Aggregate>> = {
  agency: {
    history: agencyHistory,
    evolve: trying(agencyDecider, agency.goldenPast),
  },
  client: {
    history: clientHistory,
    evolve: trying(clientDecider, [client.added, client.connected, client.scheduleAdded]),
  },
  generation: { history: generationHistory, evolve: trying(generationDecider, []) },
  post: { history: postHistory, evolve: trying(postDecider, pasts.claimed) },
  sample: { history: sampleHistory, evolve: trying(sampleDecider, []) },
  'auditor-link': { history: auditorLinkHistory, evolve: trying(auditorLinkDecider, []) },
  'review-link': { history: reviewLinkHistory, evolve: trying(reviewLinkDecider, []) },
  discussion: { history: discussionHistory, evolve: trying(discussionDecider, [posted]) },
}

const golden = (aggregate: string, file: string): JsonObject =>
  JSON.parse(readFileSync(new URL(`${aggregate}/golden/${file}`, import.meta.url), 'utf8'))
const goldenFiles = (aggregate: string) => readdirSync(new URL(`${aggregate}/golden/`, import.meta.url)).sort()

describe.each(Object.entries(aggregates))('The stored events of %s', (aggregate, { history, evolve }) => {
  const stored = [...Object.values(history.names), ...Object.keys(history.old)]

  it('have one golden file per name, and none for an unknown name', () => {
    expect(goldenFiles(aggregate)).toEqual(stored.map((name) => `${name}.json`).sort())
  })

  it.each(stored)('are still read: %s', (name) => {
    const data = golden(aggregate, `${name}.json`)
    const schema = history.old[name]?.schema ?? schemaWrittenAs(history, name)
    expect(schema?.parse(data)).toEqual(data)

    const fact = catalogue.decode(name, data)
    expect(history.schemas[fact.type]?.parse(fact.data)).toEqual(fact.data)
  })

  it.each(stored)('fold to the stored state, after a past and alone: %s', async (name) => {
    const fact = catalogue.decode(name, golden(aggregate, `${name}.json`))
    await expect(evolve(fact)).toMatchFileSnapshot(`test/golden-states/${aggregate}/${name}.txt`)
  })

  it.each(Object.entries(history.names))('are written unchanged: %s as %s', (type, name) => {
    const data = golden(aggregate, `${name}.json`)
    expect(catalogue.encode({ type, data })).toEqual({ name, data })
  })
})

it("A generated text in a client's stream, as older logs have it, folds to the stored state", async () => {
  const data = golden('generation', 'ContentGenerated.json')
  const { evolve } = aggregates['client'] ?? {}
  await expect(evolve?.(catalogue.decode('ContentGenerated', data))).toMatchFileSnapshot(
    'test/golden-states/client/ContentGenerated.txt',
  )
})

describe('The catalogue', () => {
  it('knows every aggregate’s names and no others', () => {
    const all = Object.values(aggregates).flatMap(({ history }) => [
      ...Object.values(history.names),
      ...Object.keys(history.old),
    ])
    expect([...catalogue.names].sort()).toEqual(all.sort())
  })

  it('throws for a stored name unknown to the code', () => {
    expect(() => catalogue.decode('PostTeleported', {})).toThrow(UnknownEvent)
    expect(() => catalogue.decode('PostTeleported', {})).toThrow('No code knows the event PostTeleported')
    expect(() => catalogue.encode({ type: 'PostTeleported', data: {} })).toThrow(UnknownEvent)
  })

  it('rejects data that breaks the schema before it is stored, including an extra field', () => {
    expect(() => catalogue.encode({ type: 'PostPlanned', data: { scheduledFor: 'tomorrow' } })).toThrow()
    expect(() => catalogue.encode({ type: 'PostSubmitted', data: { by: 'somebody' } })).toThrow()
  })
})

function schemaWrittenAs(history: History, name: string) {
  const type = Object.entries(history.names).find(([, written]) => written === name)?.[0]
  return type === undefined ? undefined : history.schemas[type]
}
