/** A list to choose from, whose list is loaded the first time that it is opened. */
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { findOption } from '../test/app.tsx'
import { Select } from './Select.tsx'

const options = [
  { id: 'blue', label: 'Blue Cup' },
  { id: 'red', label: 'Red Cup' },
  { id: 'fjord', label: 'Fjord' },
]

function Choice() {
  const [value, setValue] = useState<string | null>(null)
  return <Select label="Client" placeholder="Select a client" options={options} value={value} onChange={setValue} />
}

afterEach(cleanup)

function open() {
  render(<Choice />)
  return userEvent.setup({ pointerEventsCheck: 0, delay: null })
}
const control = () => screen.getByRole('button', { hidden: true })
const shown = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
const focused = () => document.activeElement?.textContent
const focusIsOn = (text: string) =>
  waitFor(() => expect([document.activeElement?.role, focused()]).toEqual(['option', text]))

describe('A select', () => {
  it.each(['Enter', ' ', 'ArrowDown'])('opened with %j starts at its first entry, which Enter takes', async (key) => {
    const user = open()
    await user.tab()
    expect(document.activeElement?.getAttribute('aria-haspopup')).toBe('listbox')
    await user.keyboard(`{${key}}`)
    await focusIsOn('Blue Cup')
    expect(shown()).toEqual(['Blue Cup', 'Red Cup', 'Fjord'])
    await user.keyboard('{Enter}')
    await waitFor(() => expect(shown()).toEqual([]))
    expect(control().textContent).toBe('Blue Cup')
    await waitFor(() => expect(document.activeElement).toBe(control()))
  })

  it('moves with the arrow keys and by the first letters', async () => {
    const user = open()
    await user.tab()
    await user.keyboard('{Enter}')
    await focusIsOn('Blue Cup')
    await user.keyboard('{ArrowDown}')
    await focusIsOn('Red Cup')
    await user.keyboard('f')
    await focusIsOn('Fjord')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(control().textContent).toBe('Fjord'))
  })

  it('closed with Escape keeps what was chosen', async () => {
    const user = open()
    await user.click(control())
    await user.click(await findOption('Red Cup'))
    await waitFor(() => expect(control().textContent).toBe('Red Cup'))
    await waitFor(() => expect(document.activeElement).toBe(control()))
    await user.keyboard('{Enter}')
    await focusIsOn('Red Cup')
    await user.keyboard('{ArrowUp}{Escape}')
    await waitFor(() => expect(shown()).toEqual([]))
    expect(control().textContent).toBe('Red Cup')
  })

  it('says what to choose while nothing is chosen', () => {
    open()
    expect(control().textContent).toBe('Select a client')
  })
})
