/** Having a post's text written anew in the editor. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fill, findDialog, renderRoute, toastIs } from '../../test/app.tsx'
import { refuse, startFakeApi } from '../../test/fake-api.ts'
import { fakeWriter, generationId } from '../../test/fake-writer.ts'
import { signedIn, type World } from '../../test/signed-in.ts'
import { aPost } from '../../test/things.ts'

const api = startFakeApi()
const done = ['default', 'Post updated', 'Post content has been updated successfully.']
const regenerated = [
  'default',
  'Content regenerated',
  'New content generated with AI. Review and save to update the post.',
]

async function edit(
  text = 'As it was',
  client: { readonly toneOfVoice?: string } = {},
  prepare: (world: World) => void = () => undefined,
) {
  const world = signedIn(api)
  world.clients = world.clients.map((each) => ({ ...each, ...client }))
  const post = aPost(world.account, { content: text })
  world.posts = [post]
  prepare(world)
  const { user } = renderRoute(`/content?client=${world.client.id}&tab=draft`)
  await user.click(await screen.findByTestId('button-edit'))
  const form = within(await findDialog('Edit Post'))
  const content = await form.findByLabelText<HTMLTextAreaElement>(/^Content/)
  return {
    world,
    post,
    user,
    form,
    content,
    write: (next: string) => fill(user, content, next),
    button: () => form.getByTestId<HTMLButtonElement>('button-save-post'),
    save: () => user.click(form.getByTestId('button-save-post')),
    press: (name: string) => user.click(form.getByText(name, { selector: 'button' })),
  }
}
const sent = () => api.sent('changePost').map(({ body, headers }) => ({ body, revision: headers.get('If-Match') }))

it('The editor says before a text is written that AI is not connected [P17.11]', async () => {
  const { form } = await edit('As it was', {}, () =>
    api.on('getUsage', () => ({ model: null, thisMonth: '2030-01', months: [] })),
  )
  expect((await form.findByTestId('built-in-writer')).textContent).toContain('AI is not connected.')
})

describe('A text that is written anew', () => {
  it.each([
    ['professional where the client has none', undefined, 'professional'],
    ["the client's own", 'witty', 'witty'],
  ])('is asked for with the topic regenerate and a tone that is %s [7.25]', async (_, toneOfVoice, tone) => {
    const { world, content, press } = await edit('As it was', toneOfVoice === undefined ? {} : { toneOfVoice })
    const writer = fakeWriter(api)
    await press('Regenerate with AI')
    await waitFor(() =>
      expect(api.sent('generateContent').map(({ body }) => body)).toEqual([
        { clientId: world.client.id, platform: 'facebook', topic: 'regenerate', tone },
      ]),
    )
    writer.finish('Another text')
    writer.end()
    await toastIs(...regenerated)
    expect(content.value).toBe('Another text')
    expect(world.posts.map((each) => each.content)).toEqual(['As it was'])
  })

  it('is seen as it comes, fills the field when it is whole, can be undone, and is saved with its source', async () => {
    const { content, write, press, save } = await edit()
    const writer = fakeWriter(api)
    await write('Typed')
    await press('Regenerate with AI')
    await waitFor(() => expect(api.sent('generateContent')).toHaveLength(1))
    writer.tell({ event: 'delta', index: 0, text: 'Warm ' })
    expect((await screen.findByTestId('suggestion')).textContent).toBe('Warm ')
    expect(content.value).toBe('Typed')
    writer.finish('Warm bread')
    writer.end()
    await waitFor(() => expect(content.value).toBe('Warm bread'))
    await press('Restore my text')
    expect(content.value).toBe('Typed')
    await press('Regenerate with AI')
    await waitFor(() => expect(api.sent('generateContent')).toHaveLength(2))
    writer.finish('Cold brew')
    writer.end()
    await waitFor(() => expect(content.value).toBe('Cold brew'))
    await save()
    await toastIs(...done)
    expect(sent()).toEqual([{ body: { content: 'Cold brew', generationId }, revision: '"0"' }])
  })

  it('is only offered to a person who goes on typing', async () => {
    const { user, form, content, write, press } = await edit()
    const writer = fakeWriter(api)
    await press('Regenerate with AI')
    await waitFor(() => expect(api.sent('generateContent')).toHaveLength(1))
    await write('Typed meanwhile')
    writer.finish('Warm bread')
    writer.end()
    await form.findByText('Your text stays, because you went on typing. This text was written meanwhile.')
    expect(content.value).toBe('Typed meanwhile')
    await user.click(form.getByText('Use this text'))
    expect(content.value).toBe('Warm bread')
    await press('Restore my text')
    expect(content.value).toBe('Typed meanwhile')
  })

  it('several times gives back the text that a person typed', async () => {
    const { content, write, press, form } = await edit()
    const writer = fakeWriter(api)
    await write('Typed')
    for (const text of ['Bread, one.', 'Bread, two.']) {
      const before = api.sent('generateContent').length
      await press('Regenerate with AI')
      await waitFor(() => expect(api.sent('generateContent')).toHaveLength(before + 1))
      writer.finish(text)
      writer.end()
      await waitFor(() => expect(content.value).toBe(text))
      await form.findByText('Restore my text')
    }
    await press('Restore my text')
    expect(content.value).toBe('Typed')
  })

  it('leaves what was typed when it is cancelled, and can be asked for again', async () => {
    const { content, form, write, press } = await edit()
    const writer = fakeWriter(api)
    await write('Typed')
    await press('Regenerate with AI')
    await form.findByText('Cancel writing')
    await press('Cancel writing')
    await waitFor(() => expect(form.getByTestId('button-regenerate').getAttribute('aria-disabled')).toBeNull())
    expect(writer.isAbandoned()).toBe(true)
    expect(content.value).toBe('Typed')
  })

  it('that fails is told, and what was typed stays [8.12, 8.16]', async () => {
    const { content, write, press } = await edit()
    api.on('generateContent', () => refuse(503, 'The writer is away.'))
    await write('Typed')
    await press('Regenerate with AI')
    await toastIs(
      'destructive',
      'Error',
      'Failed to regenerate content',
      'Failed to generate content. The writer is away.',
    )
    expect(content.value).toBe('Typed')
  })

  it('without its account can not be asked for: Client or social account not found [8.15]', async () => {
    const { press } = await edit('As it was', {}, (world) => {
      world.accounts = []
    })
    await press('Regenerate with AI')
    await toastIs('destructive', 'Error', 'Failed to regenerate content', 'Client or social account not found')
  })
})
