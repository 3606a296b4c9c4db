/** The text of a post's main account, where it has one of its own. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fill, findDialog, findOption, leavePage, toastIs } from '../../test/app.tsx'
import { checkedAccounts, chooseFirst, compose } from '../../test/composer.tsx'
import { startFakeApi } from '../../test/fake-api.ts'

const api = startFakeApi()
const bodies = () => api.sent('writePostGroup').map(({ body }) => body)

describe('The text of the main account', () => {
  const own = 'The very own X text'
  const content = () => within(screen.getByRole('dialog')).getByLabelText<HTMLTextAreaElement>(/^Content/).value
  const previewOf = (form: ReturnType<typeof within>) => form.getByTestId('network-preview').textContent

  async function withOwnText(text: string, refusals?: Readonly<Record<string, string>>) {
    const composed = await compose(api, refusals)
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
