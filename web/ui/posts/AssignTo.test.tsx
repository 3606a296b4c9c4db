/** Whose a post is, in its preview. */
import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Post, Team, TeamMember } from '../../../api/contract/index.ts'
import { answered, findDialog, findOption, renderRoute, toastIs } from '../../test/app.tsx'
import { refuse, startFakeApi } from '../../test/fake-api.ts'
import { signedIn } from '../../test/signed-in.ts'
import { aClient, aMember, aPost } from '../../test/things.ts'

const api = startFakeApi()

/** The preview of a post in an agency of these people. */
async function preview(others: (clientId: string) => readonly TeamMember[], parts: Partial<Post> = {}) {
  const world = signedIn(api)
  const members = [aMember({ name: 'Ada Lovelace', isMe: true }), ...others(world.client.id)]
  const post = { ...aPost(world.account, { content: 'Coffee' }), ...parts }
  world.posts = [post]
  const team: Team = {
    members,
    invitations: [],
    ownApproval: 'allowed',
    ownershipOfferedTo: null,
    mails: true,
    maxMembers: 50,
  }
  api.on('getTeam', () => team)
  api.on('getPostDelivery', () => ({ sentence: '', act: null, at: null, attempts: [], evidence: null }))
  const { user } = renderRoute(`/content/${post.id}?client=all`)
  const dialog = within(await findDialog('Post Preview'))
  return { user, dialog, members, world }
}
const sent = () => api.sent('changePost').map(({ body }) => body)

it('A post is assigned to a member who works for its client, and taken back', async () => {
  const { user, dialog, members } = await preview((clientId) => [
    aMember({ name: 'Grace Hopper', role: 'writer', clients: [clientId] }),
    aMember({ name: 'Of another client', role: 'writer', clients: [aClient().id] }),
  ])
  await user.click(await dialog.findByTestId('select-assignee'))
  await findOption('Grace Hopper')
  expect([...document.querySelectorAll('[role=option]')].map(({ textContent }) => textContent)).toEqual([
    'Nobody',
    'Ada Lovelace',
    'Grace Hopper',
  ])
  await user.click(await findOption('Grace Hopper'))
  await toastIs('default', 'Post assigned', 'They find it in Content under “Assigned to: Me”.')
  await waitFor(() => expect(dialog.getByTestId('select-assignee').textContent).toContain('Grace Hopper'))
  await user.click(dialog.getByTestId('select-assignee'))
  await user.click(await findOption('Nobody'))
  await waitFor(() => expect(sent()).toEqual([{ assignedTo: members[1]?.id }, { assignedTo: null }]))
})

it('An assignment that the server refuses leaves the post with whom it was', async () => {
  const { user, dialog } = await preview((clientId) => [aMember({ name: 'Grace Hopper', clients: [clientId] })])
  api.on('changePost', () => refuse(409, "This person doesn't work for the post's client."))
  await user.click(await dialog.findByTestId('select-assignee'))
  await user.click(await findOption('Grace Hopper'))
  await toastIs('destructive', 'Error', 'Failed to assign post', "This person doesn't work for the post's client.")
  await waitFor(() => expect(dialog.getByTestId('select-assignee').textContent).toContain('Nobody'))
})

it('A member who may not assign it reads whose it is', async () => {
  const grace = aMember({ name: 'Grace Hopper' })
  const { dialog } = await preview(() => [grace], { assignedTo: grace.id, can: [] })
  expect(await dialog.findByText('Grace Hopper')).toBeTruthy()
  expect(dialog.queryByTestId('select-assignee')).toBeNull()
})

it('An agency of one person has no assignments', async () => {
  const { dialog } = await preview(() => [])
  await waitFor(() => expect(api.sent('getTeam')).toHaveLength(1))
  await answered()
  expect(dialog.queryByText('Assigned to')).toBeNull()
  expect(screen.queryByTestId('select-assignee')).toBeNull()
})
