import { describe, expect, it } from 'vitest'
import { specification } from '../test/specification.ts'
import { auditorLinkDecider } from './decider.ts'
import type { AuditorLinkEvent } from './events.ts'

const { given } = specification(auditorLinkDecider)
const now = '2026-03-02T10:00:00.000Z'
const input = { now, scopeExists: true }
const issue = {
  type: 'IssueAuditorLink',
  label: 'Yearly audit',
  scope: { kind: 'agency' },
  expiresAt: '2026-04-02T10:00:00.000Z',
} as const
const issued: AuditorLinkEvent = {
  type: 'AuditorLinkIssued',
  data: { label: 'Yearly audit', scope: { kind: 'agency' }, expiresAt: issue.expiresAt },
}
const revoked: AuditorLinkEvent = { type: 'AuditorLinkRevoked', data: {} }
const use = { type: 'RecordAuditorLinkUse' } as const

describe("An auditor's link", () => {
  it('is issued for a whole agency or one client, with an expiry', () => {
    expect(given().when(issue, input).events).toEqual([issued])
    expect(given().when(issue, input).again()).toEqual([])
  })
  it.each([
    ['a time that has passed', { ...issue, expiresAt: '2026-03-01T10:00:00.000Z' }, input, 'expiry-out-of-bounds'],
    ['more than a year', { ...issue, expiresAt: '2028-03-01T10:00:00.000Z' }, input, 'expiry-out-of-bounds'],
    [
      'a client that is gone',
      { ...issue, scope: { kind: 'client', clientId: 'client-1' } as const },
      { now, scopeExists: false },
      'client-unknown',
    ],
  ])('is refused for %s', (_, command, around, reason) => {
    expect(given().when(command, around).reason).toBe(reason)
  })
  it('records its use, at most once an hour', () => {
    const first = given(issued).when(use, input)
    expect(first.events).toEqual([{ type: 'AuditorLinkUsed', data: { usedAt: now } }])
    const soon = { ...input, now: '2026-03-02T10:59:59.000Z' }
    const later = { ...input, now: '2026-03-02T11:00:00.000Z' }
    expect(given(issued, ...first.events).when(use, soon).events).toEqual([])
    expect(given(issued, ...first.events).when(use, later).events).toHaveLength(1)
  })
  it.each([
    ['never was', [], input, 'link-unknown'],
    ['was revoked', [issued, revoked], input, 'link-revoked'],
    ['has expired', [issued], { ...input, now: issue.expiresAt }, 'link-expired'],
  ])('grants no access when it %s', (_, past, around, reason) => {
    expect(given(...past).when(use, around).reason).toBe(reason)
  })
  it('is revoked only once', () => {
    expect(given(issued).when({ type: 'RevokeAuditorLink' }, input).events).toEqual([revoked])
    expect(given(issued, revoked).when({ type: 'RevokeAuditorLink' }, input).events).toEqual([])
  })
})
