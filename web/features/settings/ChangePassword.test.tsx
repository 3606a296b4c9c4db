/** Setting another password in Settings. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { dialogs, fill, findDialog, renderRoute, toastIs, toldUnder } from '../../test/app.tsx'
import { cut, refuse, startFakeApi } from '../../test/fake-api.ts'
import { gate } from '../../../domain/test/gate.ts'
import { signedIn } from '../../test/signed-in.ts'

const api = startFakeApi()
const better = 'four otters rowing home'
const done = ['default', 'Password changed', 'Other devices were signed out.']

async function open() {
  const world = signedIn(api)
  api.on('getUsage', () => ({ model: null, thisMonth: '2030-01', months: [] }))
  api.on('changePassword', () => world.user)
  const { user } = renderRoute('/settings')
  await user.click(await screen.findByText('Change password', { selector: 'button' }))
  const form = within(await findDialog('Change password'))
  const current = () => form.getByLabelText<HTMLInputElement>('Current password')
  const next = () => form.getByLabelText<HTMLInputElement>('New password')
  return {
    user,
    form,
    current,
    next,
    write: async (old: string, fresh: string) => {
      await fill(user, current(), old)
      await fill(user, next(), fresh)
    },
    submit: () => user.click(form.getByText('Change password', { selector: 'button' })),
  }
}
const bodies = () => api.sent('changePassword').map(({ body }) => body)

describe('Another password', () => {
  it('is sent with the current one, and the dialog closes', async () => {
    const { write, submit } = await open()
    await write('correct horse', better)
    await submit()
    await toastIs(...done)
    await waitFor(() => expect(dialogs()).toBe(0))
    expect(bodies()).toEqual([{ currentPassword: 'correct horse', newPassword: better }])
  })

  it('that is too short is named at its field and not sent', async () => {
    const { write, submit, next } = await open()
    await write('correct horse', 'short')
    await submit()
    await waitFor(() => expect(toldUnder(next())).toBe('Password must be at least 8 characters'))
    expect(bodies()).toEqual([])
  })

  it.each([
    ['a wrong current one', 403, "That isn't your current password.", 'current', "That isn't your current password."],
    [
      'one that is guessed first',
      400,
      'New password: This is one of the most used passwords.',
      'next',
      'This is one of the most used passwords.',
    ],
  ] as const)(
    'that is refused for %s is told at its field, and what was typed stays',
    async (_, status, text, which, told) => {
      const opened = await open()
      const { write, submit, current, next } = opened
      api.on('changePassword', () => refuse(status, text))
      await write('correct horse', better)
      await submit()
      const field = opened[which]
      await waitFor(() => expect(field().getAttribute('aria-invalid')).toBe('true'))
      expect(toldUnder(field())).toBe(told)
      await waitFor(() => expect(document.activeElement).toBe(field()))
      expect([current().value, next().value]).toEqual(['correct horse', better])
      expect(screen.queryByTestId('form-error')).toBeNull()
      await fill(opened.user, field(), `${better}!`)
      await waitFor(() => expect(field().getAttribute('aria-invalid')).toBeNull())
    },
  )

  it.each([
    [
      'was guessed at too often',
      () => refuse(429, 'Too many attempts. Try again in 14 minutes.'),
      'Too many attempts. Try again in 14 minutes.',
    ],
    [
      'is lost on its way',
      () => cut,
      'The server cannot be reached. Nothing is lost: check the connection, then try again.',
    ],
  ] as const)('that %s is told under the form, and can be sent again', async (_, respond, told) => {
    const { write, submit } = await open()
    api.on('changePassword', respond)
    await write('correct horse', better)
    await submit()
    await waitFor(() => expect(screen.getByTestId('form-error').textContent).toBe(told))
    expect(dialogs()).toBe(1)
    await submit()
    await waitFor(() => expect(bodies()).toHaveLength(2))
  })

  it('is warned of while it is typed when it is one of the first to be guessed, and can be sent', async () => {
    const { write, next, submit } = await open()
    await write('correct horse', 'sunshine1')
    await waitFor(() => expect(toldUnder(next())).toMatch(/^This is one of the most used passwords/))
    await write('correct horse', 'ada@northstar.example')
    await waitFor(() => expect(toldUnder(next())).toMatch(/^This is one of the first things that somebody would try\./))
    await write('correct horse', better)
    await waitFor(() => expect(toldUnder(next())).toBe('At least 8 characters.'))
    await write('correct horse', 'SocialAI!')
    await waitFor(() => expect(toldUnder(next())).toMatch(/^This is one of the first things that somebody would try\./))
    expect(bodies()).toEqual([])
    await submit()
    await toastIs(...done)
  })

  it('is sent once when the form is submitted again before the answer, and a click beside it closes nothing', async () => {
    const { write, submit, user, form } = await open()
    const { until, open: release } = gate()
    api.on('changePassword', async () => {
      await until
      return refuse(429, 'Too many attempts. Try again in 14 minutes.')
    })
    await write('correct horse', better)
    await submit()
    await form.findByText('Changing…')
    form.getByLabelText('New password').closest('form')?.requestSubmit()
    await user.click(document.body)
    expect(dialogs()).toBe(1)
    release()
    await screen.findByTestId('form-error')
    expect(bodies()).toHaveLength(1)
  })
})
