/** One text for several accounts of a client, in the composer. */
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { dialogs, fill, findDialog, findOption, leavePage, renderRoute, toastIs } from '../../test/app.tsx'
import { startFakeApi } from '../../test/fake-api.ts'
import { signedIn } from '../../test/signed-in.ts'
import { anAccount, aPost, cardOf } from '../../test/things.ts'

const api = startFakeApi()
const groupId = '0195a000-0000-7000-8000-000000000001'

/** @param refusals sentences by account name */
async function compose(refusals: Readonly<Record<string, string>> = {}) {
  const opened = await openComposer(refusals)
  await chooseFirst(opened.form, opened.user)
  return opened
}

async function openComposer(refusals: Readonly<Record<string, string>> = {}) {
  const world = signedIn(api)
  const onX = anAccount(world.client.id, { platform: 'twitter', accountName: 'Cup on X' })
  const onLinkedIn = anAccount(world.client.id, { platform: 'linkedin', accountName: 'Cup at work' })
  world.accounts = [world.account, onX, onLinkedIn]
  api.on('writePostGroup', ({ body }) => {
    const results = body.posts.map(({ socialAccountId, content = body.content }) => {
      const account = world.accounts.find(({ id }) => id === socialAccountId) ?? world.account
      const sentence = refusals[account.accountName] ?? null
      const post = sentence === null ? aPost(account, { content, status: body.status }) : null
      if (post) world.posts = [post, ...world.posts]
      return { socialAccountId, done: post !== null, sentence, post: post && cardOf(post) }
    })
    return { groupId, results }
  })
  const open = () => renderRoute(`/clients/${world.client.id}?tab=posts&compose=true`)
  const { user } = open()
  const form = within(await findDialog('New Post'))
  return {
    world,
    onX,
    onLinkedIn,
    user,
    form,
    open,
    write: (text: string) => fill(user, form.getByLabelText<HTMLTextAreaElement>(/^Content/), text),
    tick: (name: string) => user.click(checkbox(form, name)),
    press: (name: string) => user.click(form.getByText(name, { selector: 'button' })),
  }
}

/** By label: queries by role take long in a form of this size. */
const checkbox = (form: ReturnType<typeof within>, name: string) =>
  form.getByLabelText(new RegExp(`^${name}`), { selector: '[type=checkbox]' })
const checkedAccounts = () =>
  [...document.querySelectorAll('[data-testid=other-accounts] label')].flatMap((label) =>
    label.querySelector<HTMLInputElement>('input')?.checked ? [label.textContent] : [],
  )

/** Chooses the account on Facebook. */
async function chooseFirst(form: ReturnType<typeof within>, user: UserEvent): Promise<void> {
  await user.click(form.getByTestId('select-account'))
  await user.click(await findOption(/Facebook/))
  await form.findByText('Also post to')
}
const bodies = () => api.sent('writePostGroup').map(({ body }) => body)

describe('One text for several accounts', () => {
  it('is sent once, with the text of its own that a network has [P11.5]', async () => {
    const { world, onX, onLinkedIn, user, form, write, tick, press } = await compose()
    await write('Autumn breads are back.')
    await tick('Cup on X')
    await tick('Cup at work')
    await user.click(form.getByText('Write a different text for X (Twitter)', { selector: 'button' }))
    await fill(user, form.getByLabelText<HTMLTextAreaElement>('Text for Cup on X on X (Twitter)'), 'Breads!')
    await press('Submit for Review')
    await toastIs('default', 'Posts submitted', '3 posts are waiting for review.')
    await waitFor(() => expect(dialogs()).toBe(0))
    expect(bodies()).toEqual([
      {
        content: 'Autumn breads are back.',
        imageUrl: '',
        scheduledFor: null,
        status: 'pending',
        generationId: null,
        posts: [
          { socialAccountId: world.account.id },
          { socialAccountId: onX.id, content: 'Breads!' },
          { socialAccountId: onLinkedIn.id },
        ],
      },
    ])
    expect(api.sent('writePost')).toEqual([])
  })

  it('counts each by the limit of its network, and one that is too long is named before it is sent [P11.6]', async () => {
    const { form, write, tick, press } = await compose()
    await write('x'.repeat(300))
    await tick('Cup on X')
    expect(form.getAllByTestId('limit-ring').map(({ textContent }) => textContent)).toContain(
      '300 / 280 characters, 20 too many',
    )
    await press('Submit for Review')
    await waitFor(() =>
      expect(screen.getByTestId('form-error').textContent).toBe(
        'Cup on X: X (Twitter) takes at most 280 characters. This post has 300.',
      ),
    )
    expect(bodies()).toEqual([])
  })

  it('that one account refuses stays open for that one alone [P11.7]', async () => {
    const { onX, write, tick, press } = await compose({ 'Cup on X': 'Connect this account first.' })
    await write('Autumn breads are back.')
    await tick('Cup on X')
    await press('Submit for Review')
    await toastIs('destructive', '1 of 2 posts saved', 'Not saved for Cup on X. What is left stays here.')
    expect(screen.getByTestId('form-error').textContent).toBe('Cup on X: Connect this account first.')
    await press('Save as Draft')
    await waitFor(() => expect(api.sent('writePost')).toHaveLength(1))
    expect(api.sent('writePost')[0]?.body).toMatchObject({ socialAccountId: onX.id, status: 'draft' })
    expect(checkedAccounts()).toEqual([])
  })

  it('shows the preview of each chosen network [P11.8]', async () => {
    const { user, form, write, tick } = await compose()
    await write('Autumn breads are back.')
    expect(form.queryByLabelText('Cup on X on X (Twitter)', { selector: '[type=radio]' })).toBeNull()
    await tick('Cup on X')
    await user.click(form.getByLabelText('Cup on X on X (Twitter)', { selector: '[type=radio]' }))
    expect(form.getByTestId('network-preview').textContent).toContain('Cup on XX (Twitter)')
  })

  it('shows no preview of a network before an account is chosen [P11.26]', async () => {
    const { user, form, write } = await openComposer()
    await write('Autumn breads are back.')
    expect(form.getByTestId('no-preview').textContent).toBe('Choose an account to see its preview.')
    expect(form.queryByTestId('network-preview')).toBeNull()
    await chooseFirst(form, user)
    expect(form.queryByTestId('no-preview')).toBeNull()
    expect(form.getByTestId('network-preview').textContent).toContain('Facebook')
  })

  it('keeps the text of its own after a reload [P11.9]', async () => {
    const { user, form, write, tick, open } = await compose()
    await write('Autumn breads are back.')
    await tick('Cup on X')
    await user.click(form.getByText('Write a different text for X (Twitter)', { selector: 'button' }))
    await fill(user, form.getByLabelText<HTMLTextAreaElement>('Text for Cup on X on X (Twitter)'), 'Breads!')
    leavePage()
    const reopened = open()
    const again = within(await findDialog('New Post'))
    expect(again.getByLabelText<HTMLTextAreaElement>(/^Content/).value).toBe('Autumn breads are back.')
    await chooseFirst(again, reopened.user)
    expect(again.getByLabelText<HTMLTextAreaElement>('Text for Cup on X on X (Twitter)').value).toBe('Breads!')
  })
})

describe('The text of the main account', () => {
  const own = 'The very own X text'
  const content = () => within(screen.getByRole('dialog')).getByLabelText<HTMLTextAreaElement>(/^Content/).value
  const previewOf = (form: ReturnType<typeof within>) => form.getByTestId('network-preview').textContent

  async function withOwnText(text: string, refusals?: Readonly<Record<string, string>>) {
    const composed = await compose(refusals)
    const { user, form, write, tick } = composed
    await write('Facebook text')
    await tick('Cup on X')
    await user.click(form.getByText('Write a different text for X (Twitter)', { selector: 'button' }))
    await fill(user, form.getByLabelText<HTMLTextAreaElement>('Text for Cup on X on X (Twitter)'), text)
    const choose = async (name: RegExp) => {
      await user.click(form.getByTestId('select-account'))
      await user.click(await findOption(name))
    }
    return { ...composed, choose }
  }

  it('is the own text of the account that refused', async () => {
    const { onX, form, press } = await withOwnText(own, { 'Cup on X': 'Connect this account first.' })
    await press('Save as Draft')
    await toastIs('destructive', '1 of 2 posts saved', 'Not saved for Cup on X. What is left stays here.')
    expect(content()).toBe(own)
    expect(previewOf(form)).toContain(own)
    await press('Save as Draft')
    await waitFor(() => expect(api.sent('writePost')).toHaveLength(1))
    expect(api.sent('writePost')[0]?.body).toMatchObject({ socialAccountId: onX.id, content: own })
  })

  it('is the own text of the account that is chosen, counted and open to correction', async () => {
    const long = 'x'.repeat(306)
    const { onX, form, write, choose, press } = await withOwnText(long)
    await choose(/Cup on X/)
    expect(content()).toBe(long)
    expect(form.getByTestId('limit-ring').textContent).toContain('306 / 280')
    await write('Short')
    await press('Save as Draft')
    await waitFor(() => expect(api.sent('writePost')).toHaveLength(1))
    expect(api.sent('writePost')[0]?.body).toMatchObject({ socialAccountId: onX.id, content: 'Short' })
  })

  it('leaves the others the text that they showed', async () => {
    const { world, onX, onLinkedIn, tick, choose, press } = await withOwnText(own)
    await tick('Cup at work')
    await choose(/Cup on X/)
    expect(checkedAccounts()).toEqual(['Cup at work · LinkedIn'])
    await tick(world.account.accountName)
    await press('Save as Draft')
    await waitFor(() => expect(bodies()).toHaveLength(1))
    expect(bodies()[0]).toMatchObject({
      content: own,
      posts: [
        { socialAccountId: onX.id },
        { socialAccountId: world.account.id, content: 'Facebook text' },
        { socialAccountId: onLinkedIn.id, content: 'Facebook text' },
      ],
    })
  })

  it('returns with its account, also after a reload', async () => {
    const { choose, open } = await withOwnText(own)
    await choose(/Cup on X/)
    leavePage()
    const { user } = open()
    const again = within(await findDialog('New Post'))
    expect(content()).toBe(own)
    expect(again.getByTestId('select-account').textContent).toContain('Cup on X')
    expect(checkedAccounts()).toEqual([])
    await chooseFirst(again, user)
    expect(content()).toBe('Facebook text')
    expect(again.getByLabelText<HTMLTextAreaElement>('Text for Cup on X on X (Twitter)').value).toBe(own)
  })
})
