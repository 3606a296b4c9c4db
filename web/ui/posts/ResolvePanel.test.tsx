/**
 * Settling an unknown outcome: what the user is told beside the buttons.
 * @vitest-environment jsdom
 */
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PostDelivery } from '../../../api/contract/index.ts'
import { ResolvePanel } from './ResolvePanel.tsx'

afterEach(cleanup)

const attemptId = '0195a000-0000-7000-8000-000000000001'
const evidence = {
  attemptedAt: '2026-03-02T09:00:00.000Z',
  sentence: 'We looked for the post on X 3 times, and the post was not listed.',
  lookedAt: '2026-03-02T09:12:10.000Z',
  nextLookAt: '2026-03-02T09:32:10.000Z',
  earlyUntil: '2026-03-02T10:00:00.000Z',
}
function open(parts: Partial<PostDelivery['evidence']> | null) {
  const onAct = vi.fn<(action: { readonly name: string }) => void>()
  const known = parts === null ? null : { ...evidence, ...parts }
  render(
    <ResolvePanel
      platform="twitter"
      evidence={known}
      attemptId={known && attemptId}
      zone="UTC"
      onAct={onAct}
      running={null}
    />,
  )
  return onAct
}
const told = () => screen.getByTestId('evidence').textContent

describe('A user who settles an unknown outcome', () => {
  it('is told when the attempt began, what was looked for, and when next', () => {
    open({})
    expect(told()).toContain('The attempt began Mar 2, 2026 at 9:00 AM. We looked for the post on X 3 times')
    expect(told()).toContain('The last look-up was Mar 2, 2026 at 9:12 AM. The next look-up is ')
  })

  it('is warned within the first hour, and can decide all the same', async () => {
    const onAct = open({})
    const warning = screen.getByTestId('early-warning').textContent
    expect(warning).toMatch(/^X \(Twitter\) may show a new post late\. Wait until .*10:00 AM.* would be there twice\.$/)
    await userEvent.click(screen.getByRole('button', { name: 'Mark as Not Live' }))
    expect(onAct).toHaveBeenCalledWith(expect.objectContaining({ name: 'resolve' }))
  })

  it('is not warned later, and is told when nothing more is looked for', () => {
    open({ earlyUntil: null, nextLookAt: null })
    expect(screen.queryByTestId('early-warning')).toBeNull()
    expect(told()).toContain('No further look-up is planned.')
  })

  it('can say that it is live before the attempt is loaded, and that it is not only afterwards', () => {
    open(null)
    expect(screen.queryByTestId('evidence')).toBeNull()
    expect(screen.getByRole('button', { name: 'Mark as Live' })).toHaveProperty('disabled', false)
    expect(screen.getByRole('button', { name: 'Mark as Not Live' })).toHaveProperty('disabled', true)
  })
})
