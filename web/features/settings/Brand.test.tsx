/** The agency's brand in Settings. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { dialogs, fill, findDialog, renderRoute, toastIs, toldUnder } from '../../test/app.tsx'
import { refuse, startFakeApi } from '../../test/fake-api.ts'
import { signedIn } from '../../test/signed-in.ts'

const api = startFakeApi()
const logoUrl = `https://social.example/media/${'a'.repeat(64)}`
const facts = { hash: 'a'.repeat(64), type: 'image/png', size: 3, width: 80, height: 80, url: logoUrl } as const
const png = new File([new Uint8Array([1, 2, 3])], 'logo.png', { type: 'image/png' })

async function opened() {
  const world = signedIn(api)
  api.on('getUsage', () => ({ model: null, thisMonth: '2030-01', months: [] }))
  const { user } = renderRoute('/settings')
  await user.click(await screen.findByText('Change brand', { selector: 'button' }))
  const dialog = await findDialog('Brand')
  const form = within(dialog)
  return {
    world,
    user,
    form,
    color: form.getByLabelText('Color'),
    save: () => user.click(form.getByTestId('button-save-brand')),
    choose(file: File) {
      const input = dialog.querySelector('input[type=file]')
      if (input) fireEvent.change(input, { target: { files: [file] } })
    },
  }
}

it('A wrong color and a file that is no image are named, and nothing is sent', async () => {
  const { user, form, color, save, choose } = await opened()
  await fill(user, color, '#12')
  await save()
  expect(toldUnder(color)).toBe('Enter a color like #3b82f6')
  choose(new File(['x'], 'notes.txt', { type: 'text/plain' }))
  expect((await form.findByText(/JPEG, PNG/)).textContent).not.toBe('JPEG, PNG, GIF or WebP. It is shown on white.')
  api.on('uploadImage', () => refuse(415, 'This is no image.'))
  choose(png)
  expect(await form.findByText('This is no image.')).toBeTruthy()
  expect(api.sent('brandAgency')).toHaveLength(0)
})

it('A logo and a color are saved, and what the server refuses stays in the dialog', async () => {
  const { world, user, form, color, save, choose } = await opened()
  api.on('uploadImage', () => facts)
  choose(png)
  await form.findByTestId('button-remove-logo')
  await fill(user, color, '#1f6f54')
  api.on('brandAgency', () => refuse(409, 'This image is gone. Upload it again.'))
  await save()
  expect(await form.findByText('This image is gone. Upload it again.')).toBeTruthy()
  api.on('brandAgency', ({ body }) => {
    world.agency = { ...world.agency, brand: body }
    return world.agency
  })
  await save()
  await toastIs('default', 'Brand saved', 'Your clients see it from now on.')
  await waitFor(() => expect(dialogs()).toBe(0))
  expect(api.sent('brandAgency').at(-1)?.body).toEqual({ logoUrl, color: '#1f6f54' })
})
