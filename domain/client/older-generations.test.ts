import { describe, expect, it } from 'vitest'
import { generated, generation } from '../generation/test/examples.ts'
import { besideOthersMs, fastestMs } from '../test/fastest.ts'
import { clientDecider } from './decider.ts'
import { OlderGenerations } from './older-generations.ts'

const { generationId, writer, model, topic, tone, content } = generation
const { generations } = clientDecider.evolve(clientDecider.initial, generated)

describe("The provenance of a text in a client's stream", () => {
  it('is the writer, the model, the topic and the tone', () => {
    expect(generations.provenanceOf(generationId, content)).toEqual({
      generationId,
      writer,
      model,
      topic,
      tone,
      edited: false,
    })
  })
  it('states whether a user has changed the text since', () => {
    expect(generations.provenanceOf(generationId, `${content} See you there.`)?.edited).toBe(true)
    expect(generations.provenanceOf(generationId, `${content}\n`)?.edited).toBe(false)
  })
  it('is unknown for a text of another client', () => {
    expect(clientDecider.initial.generations.provenanceOf(generationId, content)).toBeNull()
  })
})

describe('The texts of an older log', () => {
  const textAt = (at: number) => ({ ...generation, generationId: `text-${at}`, topic: `Topic ${at}` })
  const topics = (list: OlderGenerations, count: number) =>
    Array.from({ length: count }, (_, at) => list.get(`text-${at}`)?.topic ?? null)

  it('fold without copying: 10,000 of them within 100 ms', () => {
    const fold = () => {
      let client = clientDecider.initial
      for (let at = 0; at < 10_000; at++)
        client = clientDecider.evolve(client, { type: 'ContentGenerated', data: textAt(at) })
      expect(client.generations.size).toBe(10_000)
      expect(client.generations.get('text-9999')?.topic).toBe('Topic 9999')
    }
    const maxMs = besideOthersMs(100)
    expect(fastestMs(fold, maxMs, 3)).toBeLessThan(maxMs)
  })

  it('stay as they were in each earlier state, also when two states follow one', () => {
    const one = OlderGenerations.none.with(textAt(0))
    const two = one.with(textAt(1))
    const other = one.with(textAt(2))
    expect(topics(OlderGenerations.none, 3)).toEqual([null, null, null])
    expect(topics(one, 3)).toEqual(['Topic 0', null, null])
    expect(topics(two, 3)).toEqual(['Topic 0', 'Topic 1', null])
    expect(topics(other, 3)).toEqual(['Topic 0', null, 'Topic 2'])
    const again = two.with({ ...textAt(0), topic: 'Once more' })
    expect([two.get('text-0')?.topic, again.get('text-0')?.topic]).toEqual(['Topic 0', 'Once more'])
    expect(two.bytesInMemory).toBeGreaterThan(one.bytesInMemory)
  })
})
