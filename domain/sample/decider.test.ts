import { expect, it } from 'vitest'
import { specification } from '../test/specification.ts'
import { sampleDecider } from './decider.ts'

const { given } = specification(sampleDecider)
const figures = [{ platform: 'facebook', views: 100, likes: 5, comments: 1, shares: 1, engagement: 7 }] as const
const add = { type: 'AddSampleFigures', figures } as const
const input = { clientId: 'client-1' }

it('Sample figures are added once', () => {
  const step = given().when(add, input)
  expect(step.events).toEqual([{ type: 'SampleFiguresAdded', data: { clientId: 'client-1', figures } }])
  expect(step.again()).toEqual([])
})
it('Sample figures are removed once', () => {
  const step = given({ type: 'SampleFiguresAdded', data: { clientId: 'client-1', figures: [...figures] } }).when(
    { type: 'RemoveSampleFigures' },
    input,
  )
  expect(step.events).toEqual([
    { type: 'SampleFiguresRemoved', data: { clientId: 'client-1', platforms: ['facebook'] } },
  ])
  expect(step.again()).toEqual([])
})
it("Removing sample figures that don't exist appends nothing", () => {
  expect(given().when({ type: 'RemoveSampleFigures' }, input).events).toEqual([])
})
it('Adding no sample figures appends nothing', () => {
  expect(given().when({ type: 'AddSampleFigures', figures: [] }, input).events).toEqual([])
})
