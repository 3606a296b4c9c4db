/** Signing up and signing in: what is sent, what is said of each field, and what a refusal leaves. */
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { fill, renderRoute, toastIs, toldUnder } from '../../test/app.tsx'
import { cut, refuse, startFakeApi, type FakeApi } from '../../test/fake-api.ts'
import { gate } from '../../../domain/test/gate.ts'
import { aUser } from '../../test/things.ts'

const api = startFakeApi()
const busy = 'The store is busy. Try again in a minute.'
const gone = 'The server cannot be reached. Nothing is lost: check the connection, then try again.'

beforeEach(() => {
  api.on('getUser', () => refuse(401, 'Sign in first.'))
  api.on('getAgency', () => refuse(404, "This agency doesn't exist."))
})

async function open(tab: 'Start Free Trial' | 'Sign In') {
  const { user, path } = renderRoute('/')
  await user.click(await screen.findByText(tab, { selector: '[role=tab] *, [role=tab]' }))
  const panel = await waitFor(() => {
    const found = document.querySelector<HTMLElement>('[role=tabpanel]:not([inert])')
    if (!found) throw new Error('No form')
    return found
  })
  const form = within(panel)
  const field = (label: string) => form.getByLabelText<HTMLInputElement>(label)
  // The form's engine takes the place of the first form, at the first sign of a person.
  await user.click(field('Email'))
  await waitFor(() => expect(panel.querySelector('form > [aria-live]')).not.toBeNull())
  return {
    user,
    path,
    form,
    field,
    write: (label: string, text: string) => fill(user, field(label), text),
    send: () =>
      user.click(within(panel).getByText(tab === 'Sign In' ? 'Sign In' : 'Create Account', { selector: 'button' })),
    /** The error of each field that is marked as invalid. */
    errors: () => [...panel.querySelectorAll<HTMLElement>('[aria-invalid=true]')].map(toldUnder),
  }
}
const bodies = (name: Parameters<FakeApi['sent']>[0]) => api.sent(name).map(({ body }) => body)

describe('Signing up', () => {
  it('keeps the focus on a button when its form is ready', async () => {
    renderRoute('/')
    const button = await screen.findByText('Create Account', { selector: 'button' })
    act(() => button.focus())
    await waitFor(() => expect(document.querySelector('form > [aria-live]')).not.toBeNull())
    expect(document.activeElement?.textContent).toBe('Create Account')
    expect(document.activeElement).not.toBe(button)
  })

  it('keeps the password shown, and the focus on its button, when its form is ready', async () => {
    renderRoute('/')
    const button = await screen.findByText('Show', { selector: 'button' })
    act(() => {
      button.click()
      button.focus()
    })
    await waitFor(() => expect(document.querySelector('form > [aria-live]')).not.toBeNull())
    expect(screen.getByLabelText('Password')).toHaveProperty('type', 'text')
    expect(document.activeElement?.textContent).toBe('Hide password')
    expect(document.activeElement).not.toBe(button)
  })

  it('says nothing of a field before the form is sent [5.10]', async () => {
    const { write, errors, user } = await open('Start Free Trial')
    await write('Email', 'x')
    await write('Password', 'short')
    await user.tab()
    expect(errors()).toEqual([])
  })

  it('names each wrong field once it was sent, and again at each change [5.11]', async () => {
    const { write, send, errors } = await open('Start Free Trial')
    await write('Email', 'x')
    await send()
    await waitFor(() => expect(errors()).toEqual(['Enter a valid email', 'Password must be at least 8 characters']))
    await write('Email', 'x@example.com')
    await waitFor(() => expect(errors()).toEqual(['Password must be at least 8 characters']))
    await write('Password', '1234567')
    await waitFor(() => expect(errors()).toEqual(['Password must be at least 8 characters']))
    await write('Password', '12345678')
    await waitFor(() => expect(errors()).toEqual([]))
    expect(bodies('register')).toEqual([])
  })

  it.each([
    ['First Name', 'First name must be 120 characters or fewer'],
    ['Last Name', 'Last name must be 120 characters or fewer'],
  ])('allows 120 characters in %s [5.4, 9.9]', async (label, told) => {
    const { write, send, errors } = await open('Start Free Trial')
    await write('Email', 'x@example.com')
    await write('Password', 'four otters')
    await write(label, 'x'.repeat(121))
    await send()
    await waitFor(() => expect(errors()).toEqual([told]))
    await write(label, 'x'.repeat(120))
    await waitFor(() => expect(errors()).toEqual([]))
  })

  it('sends the email trimmed and in lower case, the names trimmed, and leaves empty names out [5.5, 7.9]', async () => {
    const { write, send, path } = await open('Start Free Trial')
    api.on('register', () => aUser())
    await write('Email', 'Ada@NorthStar.Example')
    await write('First Name', '  Ada ')
    await write('Last Name', '   ')
    await write('Password', 'correct horse')
    await send()
    await toastIs('default', 'Account created!', "You're all set to get started.")
    expect(bodies('register')).toEqual([
      { email: 'ada@northstar.example', firstName: 'Ada', password: 'correct horse' },
    ])
    await waitFor(() => expect(path()).toBe('/onboarding'))
  })

  it('that the server refuses for the password says so under it, and keeps what was typed', async () => {
    const { write, send, errors, field } = await open('Start Free Trial')
    const refusal = 'This is one of the most used passwords and would be guessed quickly.'
    api.on('register', () => refuse(400, `Password: ${refusal}`))
    await write('Email', 'ada@northstar.example')
    await write('Password', 'four otters')
    await send()
    await toastIs('destructive', 'Sign up failed', `Password: ${refusal}`)
    expect(errors()).toEqual([refusal])
    expect(screen.queryByTestId('form-error')).toBeNull()
    await waitFor(() => expect(document.activeElement).toBe(field('Password')))
    expect([field('Email').value, field('Password').value]).toEqual(['ada@northstar.example', 'four otters'])
  })

  it('warns of a password that is guessed first, before anything is sent', async () => {
    const { write, field } = await open('Start Free Trial')
    await write('Email', 'ada@northstar.example')
    await write('Password', 'Iloveyou!')
    await waitFor(() => expect(toldUnder(field('Password'))).toMatch(/^This is one of the most used passwords/))
    await write('Password', 'four otters rowing home')
    await waitFor(() => expect(toldUnder(field('Password'))).toBe('At least 8 characters.'))
    expect(bodies('register')).toEqual([])
  })

  it('is sent once when Create Account is pressed twice', async () => {
    const { write, send, form } = await open('Start Free Trial')
    const { until, open: release } = gate()
    api.on('register', async () => {
      await until
      return aUser()
    })
    await write('Email', 'ada@northstar.example')
    await write('Password', 'four otters')
    await send()
    await form.findByText('Creating account…')
    form.getByText<HTMLButtonElement>('Creating account…').click()
    form.getByLabelText('Email').closest('form')?.requestSubmit()
    release()
    await toastIs('default', 'Account created!', "You're all set to get started.")
    expect(bodies('register')).toHaveLength(1)
  })
})

describe('Signing in', () => {
  it('wants a valid email and a password [5.1]', async () => {
    const { send, errors } = await open('Sign In')
    await send()
    await waitFor(() => expect(errors()).toEqual(['Enter a valid email', 'Password is required']))
  })

  it('sends the email trimmed and in lower case [5.2, 7.8]', async () => {
    const { write, send } = await open('Sign In')
    api.on('login', () => aUser())
    await write('Email', 'ADA@northstar.example')
    await write('Password', 'correct horse')
    await send()
    await toastIs('default', 'Welcome back!', "You're now signed in.")
    expect(bodies('login')).toEqual([{ email: 'ada@northstar.example', password: 'correct horse' }])
  })
})

describe.each([
  ['Signing up', 'Start Free Trial', 'register', 'Sign up failed'],
  ['Signing in', 'Sign In', 'login', 'Sign in failed'],
] as const)('%s', (_, tab, route, title) => {
  it.each([
    ['the server refuses', () => refuse(503, busy), busy],
    ['loses its connection', () => cut, gone],
  ] as const)(
    'that %s is told under the form and in a toast, and what was typed stays',
    async (__, respond, sentence) => {
      const { write, send, field } = await open(tab)
      api.on(route, respond)
      await write('Email', 'nobody@example.com')
      await write('Password', 'wrong horse')
      await send()
      await toastIs('destructive', title, sentence)
      expect(screen.getByTestId('form-error').textContent).toBe(sentence)
      expect([field('Email').value, field('Password').value]).toEqual(['nobody@example.com', 'wrong horse'])
    },
  )
})
