/**
 * One golden file per stored name, never edited: every stored event must stay readable for ever. The states that they
 * fold to are in `test/golden-states`; `npx vitest run domain/golden.test.ts -u` writes them after a change of a state.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { agencyDecider } from './agency/decider.ts'
import { agencyHistory } from './agency/history.ts'
import { clientDecider } from './client/decider.ts'
import { clientHistory } from './client/history.ts'
import type { Fact, JsonObject } from './core/event.ts'
import { UnknownEvent, type History } from './core/history.ts'
import { events as catalogue } from './event-store/catalogue.ts'
import { generationDecider } from './generation/decider.ts'
import { generationHistory } from './generation/history.ts'
import { postDecider } from './post/decider.ts'
import { postHistory } from './post/history.ts'
import { sampleDecider } from './sample/decider.ts'
import { auditorLinkDecider } from './auditor-link/decider.ts'
import { auditorLinkHistory } from './auditor-link/history.ts'
import { reviewLinkDecider } from './review-link/decider.ts'
import { reviewLinkHistory } from './review-link/history.ts'
import { discussionDecider } from './discussion/decider.ts'
import { discussionHistory } from './discussion/history.ts'
import { sampleHistory } from './sample/history.ts'
import {
  agencyPasts,
  auditorLinkPasts,
  clientPasts,
  discussionPasts,
  postPasts,
  reviewLinkPasts,
  samplePasts,
  type GoldenPasts,
} from './test/golden-pasts.ts'

interface Aggregate {
  readonly history: History
  /** The stored names that have a past of their own. */
  readonly withOwnPast: readonly string[]
  readonly evolve: (name: string, fact: Fact) => States
}

interface States {
  /** After the event alone, folded without its metadata. */
  readonly alone: unknown
  /** Before the event and after it, folded with its metadata, as read from the log. */
  readonly before: unknown
  readonly after: unknown
}

const by = <Event extends Fact>(id: string, at: string, event: Event): Event => ({
  ...event,
  metadata: { actor: { type: 'user', id }, at },
})

const trying = <State, Event extends Fact>(
  history: History,
  decider: { readonly initial: State; readonly evolve: (state: State, event: Event) => State },
  { common, own }: GoldenPasts<Event>,
): Aggregate => ({
  history,
  withOwnPast: Object.keys(own),
  evolve(name, fact) {
    const past = (own[name] ?? common).map((event) => by('user-past', '2026-03-02T10:00:00.000Z', event))
    const before = past.reduce(decider.evolve, decider.initial)
    return {
      alone: decider.evolve(decider.initial, fact as Event),
      before,
      after: decider.evolve(before, by('user-golden', '2026-03-02T12:00:00.000Z', fact as Event)),
    }
  },
})

const aggregates: Readonly<Record<string, Aggregate>> = {
  agency: trying(agencyHistory, agencyDecider, agencyPasts),
  client: trying(clientHistory, clientDecider, clientPasts),
  generation: trying(generationHistory, generationDecider, { common: [], own: {} }),
  post: trying(postHistory, postDecider, postPasts),
  sample: trying(sampleHistory, sampleDecider, samplePasts),
  'auditor-link': trying(auditorLinkHistory, auditorLinkDecider, auditorLinkPasts),
  'review-link': trying(reviewLinkHistory, reviewLinkDecider, reviewLinkPasts),
  discussion: trying(discussionHistory, discussionDecider, discussionPasts),
}

const golden = (aggregate: string, file: string): JsonObject =>
  JSON.parse(readFileSync(new URL(`${aggregate}/golden/${file}`, import.meta.url), 'utf8'))
const goldenFiles = (aggregate: string) => readdirSync(new URL(`${aggregate}/golden/`, import.meta.url)).sort()

describe.each(Object.entries(aggregates))('The stored events of %s', (aggregate, { history, withOwnPast, evolve }) => {
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
    const { alone, after } = evolve(name, fact)
    await expect([alone, after]).toMatchFileSnapshot(`test/golden-states/${aggregate}/${name}.txt`)
  })

  // The stored state of an event that changes nothing stays right when its fold is lost.
  it.each(stored)('change the state of the past before them: %s', (name) => {
    const { before, after } = evolve(name, catalogue.decode(name, golden(aggregate, `${name}.json`)))
    expect(JSON.stringify(after)).not.toBe(JSON.stringify(before))
  })

  it('have no past for an unknown name', () => {
    expect(stored).toEqual(expect.arrayContaining([...withOwnPast]))
  })

  it.each(Object.entries(history.names))('are written unchanged: %s as %s', (type, name) => {
    const data = golden(aggregate, `${name}.json`)
    expect(catalogue.encode({ type, data })).toEqual({ name, data })
  })
})

it("A generated text in a client's stream, as older logs have it, folds to the stored state", async () => {
  const data = golden('generation', 'ContentGenerated.json')
  const states = aggregates['client']?.evolve('ContentGenerated', catalogue.decode('ContentGenerated', data))
  await expect([states?.alone, states?.after]).toMatchFileSnapshot('test/golden-states/client/ContentGenerated.txt')
  expect(JSON.stringify(states?.after)).not.toBe(JSON.stringify(states?.before))
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
