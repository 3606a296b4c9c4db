import { describe, expect, it } from 'vitest'
import { specification } from '../test/specification.ts'
import { generationDecider, provenanceOf } from './decider.ts'
import * as a from './test/examples.ts'

const { given } = specification(generationDecider)
const record = { type: 'RecordGeneration', ...a.generation } as const

describe('A generated text', () => {
  it('is recorded once [3.13]', () => {
    expect(given().when(record, a.context).events).toEqual([a.generated])
    expect(given().when(record, a.context).again()).toEqual([])
  })
  it('stays the first one of its id', () => {
    const other = { ...record, content: 'Other words.' }
    const { events, state } = given(a.generated).when(other, a.context)
    expect(events).toEqual([])
    expect(state).toEqual(a.generation)
  })
  it('is refused for a client that is gone, after the trial, and when the network would not accept it', () => {
    const refusal = (command: typeof record, context = a.context) => given().when(command, context).reason
    expect(refusal(record, { ...a.context, onRoster: false })).toBe('client-unknown')
    expect(refusal(record, { ...a.context, standing: 'trial-ended' })).toBe('subscription-needed')
    expect(refusal({ ...record, content: 'x'.repeat(100_000) })).toBe('content-too-long')
  })
})

describe('The provenance of a text', () => {
  const { generationId, writer, model, topic, tone, content } = a.generation

  it('is the writer, the model, the topic and the tone', () => {
    expect(provenanceOf(a.generation, content)).toEqual({ generationId, writer, model, topic, tone, edited: false })
  })
  it('states whether a user has changed the text since', () => {
    expect(provenanceOf(a.generation, `${content} See you there.`).edited).toBe(true)
    expect(provenanceOf(a.generation, `${content}\n`).edited).toBe(false)
  })
})
