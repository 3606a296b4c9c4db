/** The texts that the writer suggests for a new post. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SocialAccount } from '../../../api/contract/index.ts'
import { fill, findDialog, gone, leavePage, renderRoute, toastIs } from '../../test/app.tsx'
import { refuse, startFakeApi } from '../../test/fake-api.ts'
import { fakeWriter, generationId } from '../../test/fake-writer.ts'
import { signedIn } from '../../test/signed-in.ts'

const api = startFakeApi()
const typed = 'What I typed myself.'

async function compose(parts: Partial<SocialAccount> = {}) {
  const world = signedIn(api, parts)
  const { user, path } = renderRoute(`/clients/${world.client.id}?tab=posts&compose=true`)
  const dialog = await findDialog('New Post')
  const form = within(dialog)
  const content = form.getByLabelText<HTMLTextAreaElement>(/^Content/)
  return {
    world,
    user,
    path,
    form,
    content,
    write: (text: string) => fill(user, content, text),
    press: (name: string) => user.click(form.getByText(name, { selector: 'button' })),
  }
}
const bodies = () => api.sent('writePost').map(({ body }) => body)

describe('The writer', () => {
  it('says before it writes when AI is not connected, and only then [P17.1]', async () => {
    const { user, form } = await compose()
    await user.click(form.getByTestId('button-generate'))
    await form.findByLabelText('Topic')
    await waitFor(() => expect(api.sent('getUsage')).toHaveLength(1))
    expect(form.queryByTestId('built-in-writer')).toBeNull()
    leavePage()
    const again = await compose()
    api.on('getUsage', () => ({ model: null, thisMonth: '2030-01', months: [] }))
    await again.user.click(again.form.getByTestId('button-generate'))
    expect((await again.form.findByTestId('built-in-writer')).textContent).toContain('AI is not connected.')
  })

  async function ask(name = 'Generate') {
    const composer = await compose()
    const writer = fakeWriter(api)
    const { user, form, write, press } = composer
    await write(typed)
    await user.click(form.getByTestId('button-generate'))
    await fill(user, await form.findByLabelText('Topic'), 'Autumn breads')
    expect(api.sent('generateContent')).toEqual([])
    await press(name)
    await waitFor(() => expect(api.sent('generateContent')).toHaveLength(1))
    return { ...composer, writer }
  }
  const suggestions = () => screen.queryAllByTestId('suggestion').map(({ textContent }) => textContent)

  it('shows a text as it comes; it takes the place of the typed one only when Use this text is pressed', async () => {
    const { world, form, press, content, writer } = await ask()
    await form.findByText('Reading the profile. The first words come in a moment.')
    writer.tell({ event: 'delta', index: 0, text: 'Warm ' })
    await waitFor(() => expect(suggestions()).toEqual(['Warm ']))
    writer.tell({ event: 'delta', index: 0, text: 'bread.' })
    await waitFor(() => expect(suggestions()).toEqual(['Warm bread.']))
    expect(form.queryByText('Use this text')).toBeNull()
    writer.finish('Warm bread.')
    writer.end()
    await form.findByText('Use this text')
    expect(content.value).toBe(typed)
    await press('Use this text')
    expect(content.value).toBe('Warm bread.')
    await press('Save as Draft')
    await toastIs('default', 'Draft saved', 'Find the draft in the list of posts.')
    expect(bodies()).toMatchObject([{ content: 'Warm bread.', generationId }])
    expect(api.sent('generateContent').map(({ body }) => body)).toEqual([
      { clientId: world.client.id, platform: 'facebook', topic: 'Autumn breads', tone: 'professional' },
    ])
  })

  it('that is discarded leaves the typed text', async () => {
    const { form, press, content, writer } = await ask()
    writer.finish('Warm bread.')
    writer.end()
    await form.findByText('Use this text')
    await press('Discard')
    await gone(() => screen.queryByTestId('suggestion'))
    expect(content.value).toBe(typed)
  })

  it('that is cancelled closes the connection and leaves what was typed', async () => {
    const { form, press, content, writer } = await ask()
    await form.findByText('Cancel writing')
    await press('Cancel writing')
    await waitFor(() => expect(writer.isAbandoned()).toBe(true))
    await gone(() => form.queryByText('Cancel writing'))
    expect(content.value).toBe(typed)
    expect(form.getByLabelText<HTMLInputElement>('Topic').value).toBe('Autumn breads')
  })

  it('offers three texts, of which one is used', async () => {
    const { user, form, press, content, writer } = await ask('Generate 3 options')
    for (const [index, text] of ['Bread, one.', 'Bread, two.', 'Bread, three.'].entries()) writer.finish(text, index)
    writer.end()
    await form.findByText('Use this text')
    expect(suggestions()).toEqual(['Bread, one.', 'Bread, two.', 'Bread, three.'])
    expect(form.getByLabelText<HTMLInputElement>('Option 1', { selector: 'input' }).checked).toBe(true)
    await user.click(form.getByLabelText('Option 3', { selector: 'input' }))
    await press('Use this text')
    expect(content.value).toBe('Bread, three.')
  })

  it.each([
    [
      'refuses',
      'Too many at once. Try again in 20 seconds.',
      () => api.on('generateContent', () => refuse(429, 'Too many at once. Try again in 20 seconds.')),
    ],
    ['breaks off', 'The connection broke off before the text was whole. Nothing is lost: try again.', null],
  ] as const)('that %s is told, and what was typed stays [8.18]', async (_, sentence, fail) => {
    const { press, content, writer } = await ask()
    if (fail === null) {
      writer.tell({ event: 'delta', index: 0, text: 'Warm ' })
      writer.end()
    } else {
      await press('Cancel writing')
      fail()
      await press('Generate')
    }
    await toastIs('destructive', 'Error', 'Failed to generate content', sentence)
    expect(content.value).toBe(typed)
    expect(screen.queryByText('Use this text')).toBeNull()
  })

  it('tells why it wrote nothing, in the words that the server sends', async () => {
    const { content, writer } = await ask()
    writer.tell({ event: 'failed', index: 0, sentence: 'The AI declined to write this.' })
    writer.end()
    await toastIs('destructive', 'Error', 'Failed to generate content', 'The AI declined to write this.')
    expect(content.value).toBe(typed)
  })
})
