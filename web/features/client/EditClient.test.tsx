/** Saving a client's profile. */
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { dialogs, fill, findDialog, renderRoute, toastIs } from '../../test/app.tsx'
import { startFakeApi } from '../../test/fake-api.ts'
import { signedIn } from '../../test/signed-in.ts'

const api = startFakeApi()

async function open() {
  const world = signedIn(api)
  world.clients = world.clients.map((client) => ({ ...client, industry: 'Coffee', brandColor: '#123456' }))
  api.on('reviseClient', ({ body }) => ({ ...world.client, ...body }) as never)
  const { user } = renderRoute(`/clients/${world.client.id}`)
  await user.click(await screen.findByText('Edit', { selector: 'button' }))
  const form = within(await findDialog('Edit Client'))
  return { user, form, save: () => user.click(form.getByText('Save Changes', { selector: 'button' })) }
}

it('An unchanged profile is not sent, and a toast says that nothing changed [P7.4]', async () => {
  const { save } = await open()
  await save()
  await toastIs('default', 'Nothing changed', 'The profile is saved already.')
  await waitFor(() => expect(dialogs()).toBe(0))
  expect(api.sent('reviseClient')).toEqual([])
})

it('A changed profile is sent', async () => {
  const { user, form, save } = await open()
  await fill(user, form.getByLabelText<HTMLInputElement>('Industry'), 'Tea')
  await save()
  await waitFor(() => expect(api.sent('reviseClient').map(({ body }) => body)).toMatchObject([{ industry: 'Tea' }]))
})
