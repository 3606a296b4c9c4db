/** The composer of a client that has an account on Facebook, one on X and one on LinkedIn. */
import { within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { fill, findDialog, findOption, renderRoute } from './app.tsx'
import type { FakeApi } from './fake-api.ts'
import { signedIn } from './signed-in.ts'
import { anAccount, aPost, cardOf } from './things.ts'

const groupId = '0195a000-0000-7000-8000-000000000001'

/** @param refusals sentences by account name */
export async function compose(api: FakeApi, refusals: Readonly<Record<string, string>> = {}) {
  const opened = await openComposer(api, refusals)
  await chooseFirst(opened.form, opened.user)
  return opened
}

export async function openComposer(api: FakeApi, refusals: Readonly<Record<string, string>> = {}) {
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
export const checkedAccounts = () =>
  [...document.querySelectorAll('[data-testid=other-accounts] label')].flatMap((label) =>
    label.querySelector<HTMLInputElement>('input')?.checked ? [label.textContent] : [],
  )

/** Chooses the account on Facebook. */
export async function chooseFirst(form: ReturnType<typeof within>, user: UserEvent): Promise<void> {
  await user.click(form.getByTestId('select-account'))
  await user.click(await findOption(/Facebook/))
  await form.findByText('Also post to')
}
