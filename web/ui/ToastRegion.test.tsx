/** The number of toasts, how long they stay, and how one is dismissed. */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import '../test/browser-parts.ts'
import type { ToastContent } from './toast.ts'
import ToastRegion, { showToast } from './ToastRegion.tsx'

const toasts = () => [...document.querySelectorAll('[data-variant]')]
const titles = () => toasts().map((toast) => toast.querySelector('[slot=title]')?.textContent)
const say = (content: ToastContent) => act(() => showToast(content))
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))

beforeEach(() => {
  vi.useFakeTimers()
  render(<ToastRegion />)
})
afterEach(() => {
  pass(10_000)
  cleanup()
  vi.useRealTimers()
})

describe('A toast', () => {
  it('is there for 5 seconds [9.27]', () => {
    say({ title: 'Saved' })
    pass(4_990)
    expect(titles()).toEqual(['Saved'])
    pass(20)
    expect(titles()).toEqual([])
  })

  it('is alone: a newer one takes its place, and stays for 5 seconds of its own [9.26]', () => {
    say({ title: 'The first' })
    pass(3_000)
    say({ title: 'The second' })
    expect(titles()).toEqual(['The second'])
    pass(3_000)
    expect(titles()).toEqual(['The second'])
    pass(2_010)
    expect(titles()).toEqual([])
  })

  it('that was dismissed does not come back, however long one waits [9.28]', () => {
    say({ title: 'Dismissed' })
    act(() => void fireEvent.click(screen.getByRole('button', { name: 'Close' })))
    expect(titles()).toEqual([])
    pass(1_000_001)
    expect(titles()).toEqual([])
  })

  it('goes with a swipe of more than 50 px to the right, and only then [9.29]', () => {
    say({ title: 'Swiped' })
    const swipe = (by: number) => {
      const target = screen.getByText('Swiped')
      fireEvent.pointerDown(target, { clientX: 100 })
      fireEvent.pointerMove(target, { clientX: 100 + by })
      fireEvent.pointerUp(target, { clientX: 100 + by })
    }
    for (const tooLittle of [45, 50, -90]) {
      swipe(tooLittle)
      expect(titles()).toEqual(['Swiped'])
    }
    swipe(51)
    expect(titles()).toEqual([])
  })

  it.each([
    [undefined, 'default', 'lucide-circle-check'],
    ['destructive', 'destructive', 'lucide-circle-alert'],
  ] as const)('of the variant %s is of the kind %s, with an icon of its own', (variant, kind, icon) => {
    say({ title: 'Told', ...(variant && { variant }) })
    expect(toasts().map((toast) => toast.getAttribute('data-variant'))).toEqual([kind])
    expect(toasts()[0]?.querySelector(`svg.${icon}`)).not.toBeNull()
  })

  it('is announced with its title, its description and the sentence of the server', () => {
    say({ title: 'Error', description: 'Failed to approve post', detail: 'The store is busy.' })
    const toast = screen.getByRole('alertdialog', { name: 'Error' })
    expect(screen.getByRole('alert').textContent).toBe('ErrorFailed to approve postThe store is busy.')
    expect(toast.getAttribute('aria-modal')).toBe('false')
    expect(screen.getByRole('region', { name: /Notifications/ }).contains(toast)).toBe(true)
  })
})
