import { describe, expect, it } from 'vitest'
import { clientDecider } from './decider.ts'
import { generation } from './test/examples.ts'
import { provenanceOf } from './generations.ts'

describe('The provenance of a text', () => {
  const client = clientDecider.evolve(clientDecider.initial, { type: 'ContentGenerated', data: generation })
  const { generationId, writer, model, topic, tone, content } = generation

  it('is the writer, the model, the topic and the tone', () => {
    expect(provenanceOf(client, generationId, content)).toEqual({
      generationId,
      writer,
      model,
      topic,
      tone,
      edited: false,
    })
  })
  it('states whether a user has changed the text since', () => {
    expect(provenanceOf(client, generationId, `${content} See you there.`)?.edited).toBe(true)
    expect(provenanceOf(client, generationId, `${content}\n`)?.edited).toBe(false)
  })
  it('is unknown for a text of another client', () => {
    expect(provenanceOf(clientDecider.initial, generationId, content)).toBeNull()
  })
})
