import { expect, it } from 'vitest'
import { RecentTokens } from './recent-tokens.ts'

const counting = () => {
  let made = 0
  let now = 0
  const tokens = new RecentTokens(
    (agencyId) => `${agencyId} ${++made}`,
    () => now,
  )
  return { tokens, wait: (ms: number) => void (now += ms) }
}

it('Answers of one agency within 50 ms share a token, and the next period has a new one', () => {
  const { tokens, wait } = counting()
  expect([tokens.of('a'), tokens.of('a'), tokens.of('b')]).toEqual(['a 1', 'a 1', 'b 2'])
  wait(49)
  expect(tokens.of('a')).toBe('a 1')
  wait(1)
  expect(tokens.of('a')).toBe('a 3')
})

it('Given a change of the agency, its next answer has a new token', () => {
  const { tokens } = counting()
  expect([tokens.of('a'), tokens.of('b')]).toEqual(['a 1', 'b 2'])
  tokens.forget('a')
  expect([tokens.of('a'), tokens.of('b')]).toEqual(['a 3', 'b 2'])
})

it('The tokens of 1,000 agencies are kept at most', () => {
  const { tokens } = counting()
  for (let agency = 0; agency < 2_500; agency++) tokens.of(String(agency))
  expect(tokens.size).toBeLessThanOrEqual(1_000)
})
