/** The people of the agency: inviting, changing, removing, and the setting on their own posts. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Team, TeamInvitation, TeamMember } from '../../../api/contract/index.ts'
import { fill, findDialog, renderRoute, toastIs } from '../../test/app.tsx'
import { refuse, startFakeApi } from '../../test/fake-api.ts'
import { signedIn, type World } from '../../test/signed-in.ts'
import { aMember, newId } from '../../test/things.ts'

const api = startFakeApi()
let world: World
let team: Team

const anInvitation = (parts: Partial<TeamInvitation> = {}): TeamInvitation => ({
  id: newId(),
  email: 'grace@northstar.example',
  role: 'writer',
  clients: 'all',
  expiresAt: '2030-01-14T09:00:00.000Z',
  isOver: false,
  invitedBy: 'Ada Lovelace',
  letter: 'queued',
  ...parts,
})

beforeEach(() => {
  world = signedIn(api)
  const me = aMember({ isMe: true })
  world.agency = { ...world.agency, me: { memberId: me.id, role: 'owner', clients: 'all' } }
  team = {
    members: [me],
    invitations: [],
    ownApproval: 'allowed',
    ownershipOfferedTo: null,
    mails: true,
    maxMembers: 50,
  }
  api.on('getTeam', () => team)
})

const press = async (
  user: ReturnType<typeof renderRoute>['user'],
  text: string,
  within_: HTMLElement = document.body,
) => user.click(await within(within_).findByText(text, { selector: 'button, button *' }))

describe('Inviting a person', () => {
  it('asks for an address and, for a role with chosen clients, at least one client', async () => {
    const { user } = renderRoute('/settings/team')
    await press(user, 'Invite person')
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).queryAllByRole('radio', { name: /clients/, checked: true })).toEqual([])
    await press(user, 'Invite', dialog)
    expect(await within(dialog).findByText('Email is required')).toBeTruthy()
    await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByLabelText(/^Email address/)))
    expect(within(dialog).getByText('Choose which clients they work for')).toBeTruthy()
    await user.click(within(dialog).getByText('Only these clients'))
    expect(await within(dialog).findByText('Choose at least one client')).toBeTruthy()
    expect(api.sent('inviteMember')).toEqual([])
  })

  it('sends role and clients, and shows the link once', async () => {
    const link = 'https://app.example/invitation#' + 'a'.repeat(43)
    api.on('inviteMember', ({ body }) => {
      const invited = anInvitation({ email: body.email, role: body.role, clients: body.clients })
      team = { ...team, invitations: [invited] }
      return { ...invited, link, mailed: true }
    })
    const { user } = renderRoute('/settings/team')
    await press(user, 'Invite person')
    const dialog = await screen.findByRole('dialog')
    await fill(user, within(dialog).getByLabelText(/^Email address/), 'Grace@NorthStar.example')
    await user.click(within(dialog).getByText('Manager'))
    await user.click(within(dialog).getByText('Only these clients'))
    await user.click(within(dialog).getByText(world.client.name))
    await press(user, 'Invite', dialog)
    expect(await screen.findByDisplayValue(link)).toBeTruthy()
    expect(api.sent('inviteMember').map(({ body }) => body)).toEqual([
      { email: 'Grace@NorthStar.example', role: 'manager', clients: [world.client.id] },
    ])
    await press(user, 'Done')
    expect((await screen.findByTestId('invitation')).textContent).toContain('grace@northstar.example')
  })

  it('that the server refuses keeps what was typed and says why', async () => {
    api.on('inviteMember', () => refuse(409, 'This person is a member already.'))
    const { user } = renderRoute('/settings/team')
    await press(user, 'Invite person')
    const dialog = await screen.findByRole('dialog')
    const field = within(dialog).getByLabelText<HTMLInputElement>(/^Email address/)
    await fill(user, field, 'ada@northstar.example')
    await user.click(within(dialog).getByText('Admin'))
    await press(user, 'Invite', dialog)
    expect(await within(dialog).findByText('This person is a member already.')).toBeTruthy()
    expect(field.value).toBe('ada@northstar.example')
  })
})

it('An open invitation says what became of its letter, anew after its link was shown', async () => {
  team = { ...team, invitations: [anInvitation(), anInvitation({ letter: 'failed' }), anInvitation({ letter: null })] }
  api.on('resendInvitation', () => {
    team = { ...team, invitations: team.invitations.with(0, anInvitation()) }
    return { ...anInvitation(), link: 'https://app.example/invitation#b', mailed: true }
  })
  const { user } = renderRoute('/settings/team')
  const said = () => screen.getAllByTestId('text-letter').map(({ textContent }) => textContent)
  const failed = 'The letter could not be sent. Make a new link and pass it on.'
  await screen.findAllByTestId('invitation')
  expect(said()).toEqual(['The letter waits to be sent.', failed])
  await user.click((await screen.findAllByText('New link'))[0] as HTMLElement)
  await screen.findByText('Invitation ready')
  team = { ...team, invitations: team.invitations.with(0, anInvitation({ letter: 'sent' })) }
  await press(user, 'Done')
  await waitFor(() => expect(said()).toEqual(['The letter was sent.', failed]))
})

it('A server without mail says so of each letter, and offers the link to copy', async () => {
  team = { ...team, mails: false, invitations: [anInvitation({ letter: 'sent' }), anInvitation()] }
  api.on('resendInvitation', () => ({ ...anInvitation(), link: 'https://app.example/invitation#b', mailed: false }))
  const { user } = renderRoute('/settings/team')
  const kept = 'Not mailed: this server sends no mail. Make a new link and pass it on.'
  await screen.findAllByTestId('invitation')
  expect(screen.getAllByTestId('text-letter').map(({ textContent }) => textContent)).toEqual([kept, kept])
  await user.click((await screen.findAllByText('New link'))[0] as HTMLElement)
  const dialog = await findDialog('Invitation ready')
  expect(dialog.textContent).toContain('This server sends no mail: give the link to grace@northstar.example yourself.')
  expect(within(dialog).getByText('Copy link')).toBeTruthy()
})

describe('A member', () => {
  let grace: TeamMember
  beforeEach(() => {
    grace = aMember({
      name: 'Grace Hopper',
      email: 'grace@northstar.example',
      role: 'writer',
      clients: [world.client.id],
      can: ['change', 'remove', 'offer-ownership'],
    })
    team = { ...team, members: [...team.members, grace] }
    api.on('getFactors', () => ({
      app: null,
      passkeys: [],
      noPasskeys: null,
      recoveryCodes: 0,
      hasPassword: true,
      confirmedUntil: null,
      signOn: null,
    }))
  })

  it('is shown with role, clients and when they joined', async () => {
    renderRoute('/settings/team')
    const row = (await screen.findAllByTestId('member'))[1]
    expect(row?.textContent).toMatch(/Grace Hopper.*Writer.*grace@northstar\.example.*Blue Cup.*Since Jan 7, 2030/)
  })

  it('gets another role', async () => {
    api.on('changeMember', ({ body }) => {
      const changed = { ...grace, ...body }
      team = { ...team, members: team.members.with(1, changed) }
      return changed
    })
    const { user } = renderRoute('/settings/team')
    await press(user, 'Change role')
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByText('Admin'))
    await press(user, 'Save', dialog)
    await toastIs('default', 'Role changed', 'Grace Hopper is now Admin.')
    expect(api.sent('changeMember').map(({ body }) => body)).toEqual([{ role: 'admin', clients: 'all' }])
    // The server refuses a change of an agency that the page does not show.
    expect(api.sent('changeMember').map(({ headers }) => headers.get('X-Agency'))).toEqual([world.agency.id])
    expect(api.sent('getTeam').map(({ headers }) => headers.get('X-Agency'))).not.toContain(world.agency.id)
  })

  it('is removed after the dialog said what ends, with the chosen end of their links', async () => {
    const ends = { posts: 3, invitations: 1, links: [{ id: newId(), label: 'Tax office' }] }
    api.on('getMemberRemoval', () => ends)
    api.on('removeMember', () => {
      team = { ...team, members: team.members.slice(0, 1) }
      return ends
    })
    const { user } = renderRoute('/settings/team')
    await press(user, 'Remove')
    const dialog = await screen.findByRole('alertdialog')
    expect(await within(dialog).findByText('3 posts assigned to them, which nobody has then')).toBeTruthy()
    expect(within(dialog).getByText('1 open invitation they sent')).toBeTruthy()
    expect(within(dialog).getByText('Tax office')).toBeTruthy()
    await user.click(within(dialog).getByText('Revoke the links'))
    await press(user, 'Remove', dialog)
    await toastIs('default', 'Person removed', 'Grace Hopper is no longer in the team.')
    expect(api.sent('removeMember').map(({ body }) => body)).toEqual([{ links: 'revoked' }])
    await waitFor(() => expect(screen.getAllByTestId('member')).toHaveLength(1))
  })

  it('loses their second factors by the own password, after words on what that does', async () => {
    team = { ...team, mails: false, members: team.members.with(1, { ...grace, can: ['reset-factors'] }) }
    api.on('resetMemberFactors', () => {
      team = { ...team, members: team.members.with(1, { ...grace, can: [] }) }
      return undefined
    })
    const { user } = renderRoute('/settings/team')
    await press(user, 'Reset second factors')
    const dialog = await screen.findByRole('dialog')
    expect(dialog.textContent).toContain('signs them out everywhere. Their password stays')
    await fill(user, within(dialog).getByLabelText(/^Your password/), 'four otters')
    await press(user, 'Reset second factors', dialog)
    await toastIs(
      'default',
      'Second factors removed',
      'Grace Hopper can sign in with the password alone. This server sends no mail: tell them yourself.',
    )
    expect(api.sent('resetMemberFactors').map(({ url, body }) => [url.pathname, body])).toEqual([
      [`/api/team/members/${grace.id}/reset-factors`, { password: 'four otters' }],
    ])
    await waitFor(() => expect(screen.queryByText('Reset second factors')).toBeNull())
  })

  it.each([
    [409, 'This person works for another agency too.'],
    [403, "That isn't your current password."],
  ])('keeps their second factors when the server refuses (%i), with its reason in the dialog', async (status, why) => {
    team = { ...team, members: team.members.with(1, { ...grace, can: ['reset-factors'] }) }
    api.on('resetMemberFactors', () => refuse(status, why))
    const { user } = renderRoute('/settings/team')
    await press(user, 'Reset second factors')
    const dialog = await screen.findByRole('dialog')
    await fill(user, within(dialog).getByLabelText(/^Your password/), 'four otters')
    await press(user, 'Reset second factors', dialog)
    expect(await within(dialog).findByText(why)).toBeTruthy()
  })

  it('is offered the ownership after a question', async () => {
    api.on('offerOwnership', ({ body }) => (team = { ...team, ownershipOfferedTo: body.memberId }))
    const { user } = renderRoute('/settings/team')
    await press(user, 'Make owner')
    await press(user, 'Offer ownership', await screen.findByRole('alertdialog'))
    expect((await screen.findByTestId('card-ownership-offer')).textContent).toContain('Grace Hopper')
    expect(api.sent('offerOwnership').map(({ body }) => body)).toEqual([{ memberId: grace.id }])
  })

  it('may be kept from approving their own posts', async () => {
    api.on('changeTeam', ({ body }) => (team = { ...team, ...body }))
    const { user } = renderRoute('/settings/team')
    const card = within(await screen.findByTestId('card-own-approval'))
    await user.click(card.getByText(/^Refused:/))
    await toastIs('default', 'Setting saved', 'Posts need the approval of another person.')
    expect(api.sent('changeTeam').map(({ body }) => body)).toEqual([{ ownApproval: 'refused' }])
  })
})

it('A viewer sees the team, and may only leave it', async () => {
  const me = aMember({ isMe: true, role: 'viewer', name: 'Vera' })
  world.agency = { ...world.agency, me: { memberId: me.id, role: 'viewer', clients: 'all' } }
  team = { ...team, members: [aMember({ email: null }), me] }
  renderRoute('/settings/team')
  await screen.findAllByTestId('member')
  expect(screen.queryByTestId('button-invite')).toBeNull()
  expect(screen.queryByTestId('card-own-approval')).toBeNull()
  expect([...document.querySelectorAll('main button')].map(({ textContent }) => textContent)).toEqual(['Leave agency'])
})

it('The end of a membership takes the place of every screen, dialogs included, with one sentence', async () => {
  const ended = { 'X-Membership': 'ended' }
  api.on('inviteMember', () => refuse(403, 'You are no longer a member of North Star.', ended))
  const { user } = renderRoute('/settings/team')
  await press(user, 'Invite person')
  const dialog = await screen.findByRole('dialog')
  await fill(user, within(dialog).getByLabelText(/^Email address/), 'grace@northstar.example')
  await user.click(within(dialog).getByText('Admin'))
  await press(user, 'Invite', dialog)
  expect((await screen.findByTestId('membership-ended')).textContent).toContain(
    'You are no longer a member of North Star.',
  )
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('It does so without an act, once the stream of live updates is refused', async () => {
  const ended = () => refuse(403, 'You are no longer a member of North Star.', { 'X-Membership': 'ended' })
  api.on('getNews', ended)
  api.on('countNews', ended)
  renderRoute('/settings/team')
  await screen.findByTestId('button-invite')
  // The stream opens at a first sign of the person, or after a while.
  fireEvent.pointerMove(window)
  await screen.findByTestId('membership-ended')
})
