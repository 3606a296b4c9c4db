/** Changing the posting schedule of an account. */
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Schedule } from '../../../../api/contract/index.ts'
import { dialogs, findDialog, renderRoute, toastIs } from '../../../test/app.tsx'
import { startFakeApi } from '../../../test/fake-api.ts'
import { signedIn } from '../../../test/signed-in.ts'
import { newId } from '../../../test/things.ts'

const api = startFakeApi()

it('Saving an unchanged schedule says that nothing changed, and sends nothing [P7.22]', async () => {
  const { client, account } = signedIn(api)
  const schedule: Schedule = {
    id: newId(),
    clientId: client.id,
    socialAccountId: account.id,
    frequency: 'daily',
    postsPerWeek: 7,
    preferredTimes: [{ day: 'every', time: '09:00' }],
    contentTopics: ['Coffee'],
    isActive: true,
    createdAt: '2030-01-01T09:00:00.000Z',
    revision: 0,
    slots: [],
    failures: [],
    untouchedPosts: 0,
  }
  api.on('listSchedules', () => [schedule])
  api.on('previewSchedule', () => [])
  const { user } = renderRoute(`/clients/${client.id}?tab=schedule`)
  await user.click(await screen.findByTestId('button-edit-schedule'))
  const form = within(await findDialog('Edit Posting Schedule'))
  await user.click(form.getByText('Save Changes', { selector: 'button' }))
  await toastIs('default', 'Nothing changed', 'The posting schedule is saved already.')
  await waitFor(() => expect(dialogs()).toBe(0))
  expect(api.sent('changeSchedule')).toEqual([])
})
