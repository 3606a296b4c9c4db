/** The form that adds a client. */
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { dialogs, findDialog, renderRoute, toastIs } from '../../test/app.tsx'
import { cut, refuse, startFakeApi } from '../../test/fake-api.ts'
import { gate } from '../../../domain/test/gate.ts'
import { signedIn, type World } from '../../test/signed-in.ts'
import { aClient } from '../../test/things.ts'

const gone = 'The server cannot be reached. Nothing is lost: check the connection, then try again.'
const api = startFakeApi()
let world: World

beforeEach(() => {
  world = signedIn(api)
})

/** Opens the form. The fake stores the client that is sent. */
async function open() {
  api.on('addClient', ({ body }) => {
    const client = aClient({ ...body })
    world.clients = [...world.clients, client]
    return client
  })
  const { user, path } = renderRoute('/clients?add=true')
  const form = within(await findDialog('Add New Client'))
  const name = () => form.getByLabelText<HTMLInputElement>(/^Name/)
  return {
    user,
    path,
    form,
    name,
    type: (text: string) => user.type(name(), text),
    submit: () => user.click(form.getByText('Create Client', { selector: 'button' })),
  }
}
const keys = () => api.sent('addClient').map(({ headers }) => headers.get('Idempotency-Key'))
const cards = () => screen.getAllByTestId('client-card').map((card) => within(card).getByRole('heading').textContent)

describe('The form of a client', () => {
  it('sends the seven fields of the profile, shows a toast and lists the client [5.8, 7.14]', async () => {
    const { type, submit } = await open()
    await type('Fjord')
    await submit()
    await toastIs('default', 'Client created!', 'You can now configure their social media accounts.')
    expect(api.sent('addClient').map(({ body }) => body)).toEqual([
      {
        name: 'Fjord',
        description: null,
        industry: null,
        targetAudience: null,
        toneOfVoice: null,
        brandColor: '#3b82f6',
        logoUrl: null,
      },
    ])
    expect(cards()).toEqual(['Blue Cup', 'Fjord'])
    expect(dialogs()).toBe(0)
    expect(api.sent('listClients')).toHaveLength(2)
  })

  it('without a name is not sent, and names the field', async () => {
    const { submit, name } = await open()
    await submit()
    await waitFor(() => expect(name()).toHaveProperty('ariaInvalid', 'true'))
    expect(document.getElementById(name().getAttribute('aria-describedby') ?? '')?.textContent).toBe('Required')
    await waitFor(() => expect(document.activeElement).toBe(name()))
    expect(api.sent('addClient')).toEqual([])
  })

  it('that the server refuses shows its sentence in the form and in a toast, and keeps what was typed [8.7]', async () => {
    const { type, submit, name } = await open()
    api.on('addClient', () => refuse(503, 'The store is busy. Try again in a minute.'))
    await type('Fjord')
    await submit()
    await toastIs('destructive', 'Error', 'The store is busy. Try again in a minute.')
    expect(screen.getByTestId('form-error').textContent).toBe('The store is busy. Try again in a minute.')
    expect(name().value).toBe('Fjord')
  })

  it('hides the refusal as soon as a field changes', async () => {
    const { type, submit } = await open()
    api.on('addClient', () => refuse(409, 'The agency has 10 clients already.'))
    await type('Fjord')
    await submit()
    await screen.findByTestId('form-error')
    await type('s')
    expect(screen.queryByTestId('form-error')).toBeNull()
  })

  it('is sent once when it is submitted twice in the same instant', async () => {
    const { type, user, form } = await open()
    const { until, open: release } = gate()
    api.on('addClient', async ({ body }) => {
      await until
      return aClient({ ...body })
    })
    await type('Fjord')
    const press = form.getByText('Create Client', { selector: 'button' })
    press.click()
    press.click()
    await form.findByText('Creating...')
    await user.keyboard('{Enter}')
    release()
    await toastIs('default', 'Client created!', 'You can now configure their social media accounts.')
    expect(keys()).toHaveLength(1)
  })

  it('that is sent again after a broken connection has the same idempotency key, and another one once it changed', async () => {
    const { type, submit, name } = await open()
    api.on('addClient', () => cut)
    await type('Fjord')
    await submit()
    await waitFor(() => expect(screen.getByTestId('form-error').textContent).toBe(gone))
    expect(name().value).toBe('Fjord')
    await submit()
    await waitFor(() => expect(keys()).toHaveLength(2))
    await screen.findByTestId('form-error')
    await type('s')
    await submit()
    await waitFor(() => expect(keys()).toHaveLength(3))
    const [first, second, third] = keys()
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
    await toastIs('destructive', 'Error', gone)
  })
})

describe('Closing the form of a client', () => {
  it('asks first when something was typed, and Keep writing returns to the field', async () => {
    const { type, user, name } = await open()
    await type('Fjord')
    await user.keyboard('{Escape}')
    const question = await findDialog('Discard what you wrote?')
    await user.click(within(question).getByRole('button', { name: 'Keep writing' }))
    await waitFor(() => expect(dialogs()).toBe(1))
    await waitFor(() => expect(document.activeElement).toBe(name()))
    expect(name().value).toBe('Fjord')
  })

  it.each(['Cancel', 'Close'])('by %s asks too, and Discard closes it', async (how) => {
    const { type, user, form, path } = await open()
    await type('Fjord')
    await user.click(form.getByRole('button', { name: how }))
    const question = await findDialog('Discard what you wrote?')
    await user.click(within(question).getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(dialogs()).toBe(0))
    expect(path()).toBe('/clients')
    expect(api.sent('addClient')).toEqual([])
  })

  it('asks nothing when nothing was typed', async () => {
    const { user } = await open()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(dialogs()).toBe(0))
  })
})
