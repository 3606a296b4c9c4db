/** Sending a client's posts for review, its contacts, and the links that were sent. */
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ClientContact, IssuedReviewLink, ReviewLink } from '../../../api/contract/index.ts'
import { closeApp, dialogs, fill, findDialog, findOption, renderRoute, toastIs } from '../../test/app.tsx'
import { list, refuse, startFakeApi } from '../../test/fake-api.ts'
import { signedIn, type World } from '../../test/signed-in.ts'
import { aPost, newId } from '../../test/things.ts'

const api = startFakeApi()
const at = '2030-01-07T09:00:00.000Z'
let world: World
let contacts: ClientContact[]
let links: ReviewLink[]

const aContact = (name: string): ClientContact => ({
  id: newId(),
  name,
  email: `${name.toLowerCase()}@example.com`,
  enteredBy: 'Ada Lovelace',
  addedAt: at,
})
const aLink = (parts: Partial<ReviewLink> = {}): ReviewLink => ({
  id: newId(),
  clientId: world.client.id,
  contacts: [],
  anyone: true,
  scope: { kind: 'pending' },
  may: ['approve', 'comment'],
  lock: 'none',
  issuedAt: at,
  issuedBy: 'Ada Lovelace',
  expiresAt: '2030-01-14T09:00:00.000Z',
  lastUsedAt: null,
  state: 'open',
  ...parts,
})

beforeEach(() => {
  world = signedIn(api)
  contacts = [aContact('Nora')]
  links = []
  api.on('listContacts', () => contacts)
  api.on('listReviewLinks', () => list(links, {}))
  api.on('issueReviewLink', ({ body }): IssuedReviewLink => {
    const { passcode: _, ...terms } = body
    const link = aLink(terms)
    links = [link, ...links]
    const sentTo = body.contacts.map((contactId) => ({ contactId, mailed: true, url: null }))
    return { ...link, url: body.anyone ? 'https://social.test/review#token' : null, sentTo }
  })
})
afterEach(closeApp)

const openTab = () => renderRoute(`/clients/${world.client.id}?tab=approval`)
async function opened() {
  const { user } = openTab()
  const card = within(await screen.findByTestId('card-review-links'))
  await user.click(await card.findByTestId('button-send-for-review'))
  return { user, dialog: within(await findDialog('Send for review')) }
}
const sent = () => api.sent('issueReviewLink').at(-1)?.body as Record<string, unknown>

describe('Send for review', () => {
  it('mails the chosen contacts for a week, and says whom', async () => {
    const { user, dialog } = await opened()
    expect(dialog.getByText(/^The submitted posts of that month/)).toBeTruthy()
    await user.click(dialog.getByTestId('button-send-review'))
    expect(dialog.getByText('Choose at least one person, or anyone with the link')).toBeTruthy()
    expect(api.sent('issueReviewLink')).toHaveLength(0)
    await user.click(await dialog.findByText('Nora'))
    await user.click(dialog.getByTestId('button-send-review'))
    const result = within(await findDialog('Sent for review'))
    expect(result.getByText('Letter on its way')).toBeTruthy()
    expect(sent()).toMatchObject({
      contacts: [contacts[0]?.id],
      anyone: false,
      scope: { kind: 'pending' },
      may: ['approve', 'comment'],
      lock: 'none',
    })
    const days = (Date.parse(String(sent()['expiresAt'])) - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(7, 2)
    await user.click(result.getByTestId('button-sent-done'))
    await waitFor(() => expect(screen.getAllByTestId('review-link')).toHaveLength(1))
  })

  it('adds a contact in place, who is chosen then', async () => {
    contacts = []
    api.on('addContact', ({ body }) => {
      if (body.email === 'ada@northstar.example') return refuse(409, 'This address is of a member of the agency.')
      const contact = { ...aContact('Lea'), ...body }
      contacts = [contact]
      return contact
    })
    const { user, dialog } = await opened()
    await user.click(await dialog.findByTestId('button-new-contact'))
    const form = within(dialog.getByTestId('form-contact'))
    await fill(user, form.getByLabelText(/Name/), 'Lea')
    await fill(user, form.getByLabelText(/Email/), 'ada@northstar.example')
    await user.click(form.getByTestId('button-add-contact'))
    expect((await form.findByTestId('form-error')).textContent).toBe('This address is of a member of the agency.')
    await fill(user, form.getByLabelText(/Email/), 'lea@example.com')
    await user.click(form.getByTestId('button-add-contact'))
    await waitFor(() => expect(dialog.queryByTestId('form-contact')).toBeNull())
    await user.click(dialog.getByTestId('button-send-review'))
    await findDialog('Sent for review')
    expect(sent()).toMatchObject({ contacts: [contacts[0]?.id] })
  })

  it('makes a link for anyone with a passcode, whose address is shown once', async () => {
    const { user, dialog } = await opened()
    await user.click(await dialog.findByTestId('checkbox-anyone'))
    await user.click(dialog.getByTestId('select-review-lock'))
    await findOption('A passcode')
    expect(screen.queryByText(/A code by mail/)).toBeNull()
    await user.click(await findOption('A passcode'))
    await user.click(dialog.getByTestId('button-send-review'))
    expect(await dialog.findByText('Enter at least 6 characters')).toBeTruthy()
    await fill(user, dialog.getByLabelText(/Passcode/), 'open up')
    await user.click(dialog.getByTestId('button-send-review'))
    const result = within(await findDialog('Sent for review'))
    expect(result.getByLabelText<HTMLInputElement>('Link for anyone').value).toBe('https://social.test/review#token')
    expect(sent()).toMatchObject({ anyone: true, lock: 'passcode', passcode: 'open up' })
  })

  it('from a waiting post sends that one alone', async () => {
    const post = aPost(world.account, { status: 'pending', content: 'Bread' })
    world.posts = [post, aPost(world.account, { status: 'pending', content: 'Cake' })]
    const { user } = renderRoute(`/content?client=${world.client.id}&tab=pending`)
    const [preview] = await screen.findAllByTestId('button-preview')
    if (preview) await user.click(preview)
    await user.click(within(await findDialog('Post Preview')).getByTestId('button-send-for-review'))
    const dialog = within(await findDialog('Send for review'))
    expect(await dialog.findByText('1 post chosen')).toBeTruthy()
    await user.click(await dialog.findByText('Nora'))
    await user.click(dialog.getByTestId('button-send-review'))
    await findDialog('Sent for review')
    expect(sent()).toMatchObject({ scope: { kind: 'posts', postIds: [post.id] } })
  })

  it('is not offered to writers', async () => {
    world.agency = { ...world.agency, me: { memberId: 'member', role: 'writer', clients: 'all' } }
    world.posts = [aPost(world.account, { status: 'pending' })]
    renderRoute(`/content?client=${world.client.id}&tab=pending`)
    await screen.findAllByTestId('post-card')
    expect(screen.queryByTestId('button-send-for-review')).toBeNull()
  })
})

describe("A client's review links", () => {
  it('say for whom they are, and are revoked after a question', async () => {
    links = [
      aLink({ contacts: [contacts[0]?.id ?? '', newId()], anyone: false, lastUsedAt: at }),
      aLink({ state: 'expired', scope: { kind: 'month', month: '2030-01' } }),
    ]
    api.on('revokeReviewLink', () => {
      links = links.map((link) => ({ ...link, state: link.state === 'open' ? 'revoked' : link.state }))
      return undefined
    })
    const { user } = openTab()
    const [first, second] = await screen.findAllByTestId('review-link')
    await waitFor(() => expect(first?.textContent).toContain('Nora, a former contact'))
    expect(second?.textContent).toContain('Posts of January 2030')
    expect(screen.getAllByText('Revoke')).toHaveLength(1)
    await user.click(screen.getByText('Revoke'))
    const dialog = within(await findDialog('Revoke this link?'))
    await user.click(dialog.getByText('Revoke'))
    await toastIs('default', 'Link revoked', 'The link opens nothing any more.')
    await waitFor(() => expect(screen.queryByText('Revoke')).toBeNull())
  })
})

describe("A client's contacts", () => {
  it('are added and removed', async () => {
    api.on('addContact', ({ body }) => {
      const contact = { ...aContact('Lea'), ...body }
      contacts = [contact, ...contacts]
      return contact
    })
    api.on('removeContact', ({ params }) => {
      contacts = contacts.filter(({ id }) => id !== params.contactId)
      return undefined
    })
    const { user } = openTab()
    const card = within(await screen.findByTestId('card-contacts'))
    await user.click(await card.findByTestId('button-new-contact'))
    await fill(user, card.getByLabelText(/Name/), 'Lea')
    await fill(user, card.getByLabelText(/Email/), 'lea@example.com')
    await user.click(card.getByTestId('button-add-contact'))
    await waitFor(() => expect(card.getAllByTestId('contact')).toHaveLength(2))
    await user.click(card.getByLabelText('Remove Nora'))
    await user.click(within(await findDialog('Remove Nora?')).getByText('Remove'))
    await waitFor(() => expect(dialogs()).toBe(0))
    await waitFor(() => expect(card.getAllByTestId('contact').map((each) => each.textContent)).toHaveLength(1))
    expect(card.getByText('Lea')).toBeTruthy()
  })
})

describe('The owner', () => {
  it('erases a contact, and is told what goes and what stays', async () => {
    api.on('eraseReviewer', () => {
      contacts = []
      return undefined
    })
    const [nora] = contacts
    const { user } = openTab()
    const card = within(await screen.findByTestId('card-contacts'))
    await user.click(await card.findByLabelText('Erase Nora'))
    const dialog = within(await findDialog('Erase Nora?'))
    expect(dialog.getByText(/The verdicts and their receipts stay/)).toBeTruthy()
    await user.click(dialog.getByText('Erase', { selector: 'button' }))
    await toastIs('default', 'Person erased', 'Verdicts and receipts now name a former reviewer.')
    await waitFor(() => expect(card.queryAllByTestId('contact')).toEqual([]))
    expect(api.sent('eraseReviewer')[0]?.url.pathname).toBe(`/api/reviewers/${nora?.id}`)
  })

  it('erases a person who was only named, among those of a link', async () => {
    links = [aLink(), aLink({ lastUsedAt: at })]
    let people = [{ id: newId(), name: 'Kim', contactId: null, since: at }]
    api.on('listReviewers', () => people)
    api.on('eraseReviewer', () => {
      people = []
      return undefined
    })
    const { user } = openTab()
    const card = within(await screen.findByTestId('card-review-links'))
    await user.click(await card.findByTestId('button-link-people'))
    expect((await card.findByTestId('link-person')).textContent).toContain('Kim, only named, since Jan 7, 2030')
    await user.click(card.getByLabelText('Erase Kim'))
    await user.click(within(await findDialog('Erase Kim?')).getByText('Erase', { selector: 'button' }))
    expect(await card.findByText('No one has acted through this link.')).toBeTruthy()
    expect(api.sent('eraseReviewer')).toHaveLength(1)
  })

  it('alone is offered to erase people', async () => {
    world.agency = { ...world.agency, me: { memberId: 'member', role: 'admin', clients: 'all' } }
    links = [aLink({ lastUsedAt: at })]
    openTab()
    await screen.findByTestId('contact')
    await screen.findByTestId('review-link')
    expect(screen.queryByTestId('button-erase')).toBeNull()
    expect(screen.queryByTestId('button-link-people')).toBeNull()
  })
})
