/** Editing a post that others may change at the same time. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { dialogs, fill, findDialog, leavePage, renderRoute, toastIs } from '../../test/app.tsx'
import { refuse, startFakeApi } from '../../test/fake-api.ts'
import { gate } from '../../../domain/test/gate.ts'
import { changed, overtaken, signedIn, type World } from '../../test/signed-in.ts'
import { aPost } from '../../test/things.ts'

const api = startFakeApi()
const done = ['default', 'Post updated', 'Post content has been updated successfully.']

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
const shown = () => screen.queryByRole('region', { name: 'The current version of the post' })

describe('A post that another user changed', () => {
  it('shows both versions and keeps what was typed; the second save is a choice', async () => {
    const { world, post, content, write, save, button } = await edit()
    changed(world, post.id, { content: 'Theirs' })
    await write('Mine')
    await save()
    await toastIs('destructive', 'Error', 'Failed to update post', overtaken)
    await waitFor(() => expect(shown()?.textContent).toBe('The current text of the post. Your text is above.Theirs'))
    expect(content.value).toBe('Mine')
    expect(screen.getByTestId('form-error').textContent).toBe(overtaken)
    expect(button().textContent).toBe('Save mine instead')
    expect(world.posts.map((each) => each.content)).toEqual(['Theirs'])
    await save()
    await toastIs(...done)
    expect(world.posts.map((each) => each.content)).toEqual(['Mine'])
    expect(sent()).toEqual([
      { body: { content: 'Mine', generationId: null }, revision: '"0"' },
      { body: { content: 'Mine', generationId: null }, revision: '"1"' },
    ])
  })

  it('and once more is not overwritten either', async () => {
    const { world, post, write, save } = await edit()
    changed(world, post.id, { content: 'Theirs' })
    await write('Mine')
    await save()
    await waitFor(() => expect(shown()?.textContent).toContain('Theirs'))
    changed(world, post.id, { content: 'Theirs again' })
    await save()
    await waitFor(() => expect(shown()?.textContent).toContain('Theirs again'))
    expect(world.posts.map((each) => each.content)).toEqual(['Theirs again'])
    await toastIs('destructive', 'Error', 'Failed to update post', overtaken)
  })

  it('into a status that allows no edit gives the sentence of the server, and keeps what was typed', async () => {
    const { content, write, save } = await edit()
    const sentence = 'Only a post that is a draft or rejected can be edited. This one is approved.'
    api.on('changePost', () => refuse(409, sentence))
    await write('Mine')
    await save()
    await toastIs('destructive', 'Error', 'Failed to update post', sentence)
    expect(screen.getByTestId('form-error').textContent).toBe(sentence)
    expect(content.value).toBe('Mine')
    expect(shown()).toBeNull()
  })
})

describe('The editor', () => {
  it('saves once, closes, and asks for the list again [2.89, 7.6, 7.20, 8.31]', async () => {
    const { write, button, save, world } = await edit()
    const { until, open } = gate()
    api.on('changePost', async ({ params }) => {
      await until
      return changed(world, params.id, { content: 'Rewritten' })
    })
    await write('Rewritten')
    const lists = api.sent('listPosts').length
    button().click()
    button().click()
    await waitFor(() => expect(button().disabled).toBe(true))
    await save()
    open()
    await toastIs(...done)
    await waitFor(() => expect(dialogs()).toBe(0))
    expect(sent()).toEqual([{ body: { content: 'Rewritten', generationId: null }, revision: '"0"' }])
    expect(api.sent('listPosts')).toHaveLength(lists + 1)
    expect(screen.getByTestId('post-content').textContent).toBe('Rewritten')
  })

  it.each(['', '  \n '])('can not save %j [2.88, 5.14]', async (text) => {
    const { write, button, user, content } = await edit()
    await (text === '' ? user.clear(content) : write(text))
    expect(button().disabled).toBe(true)
  })

  it('counts the characters as they are typed [2.87]', async () => {
    const { write, form, button } = await edit()
    await write('Twelve chars')
    expect(form.getByTestId('limit-ring').textContent).toMatch(/^12 \/ /)
    expect(button().disabled).toBe(false)
  })

  it('asks before it throws a text away, and Keep writing returns to the text', async () => {
    const { user, write, content } = await edit()
    await write('Edited')
    await user.click(document.body)
    const question = within(await findDialog('Discard what you wrote?'))
    await user.click(question.getByText('Keep writing'))
    await waitFor(() => expect(dialogs()).toBe(1))
    await waitFor(() => expect(document.activeElement).toBe(content))
    await user.keyboard('!')
    expect(content.value).toBe('Edited!')
  })
})

describe('An edit that changes nothing', () => {
  it('says so, closes, and sends nothing [P7.1]', async () => {
    const { save } = await edit()
    await save()
    await toastIs('default', 'Nothing changed', 'The post already has this text and image.')
    await waitFor(() => expect(dialogs()).toBe(0))
    expect(sent()).toEqual([])
  })
})

describe('An edit that was left without saving', () => {
  const openAgain = async (world: World) => {
    leavePage()
    const { user } = renderRoute(`/content?client=${world.client.id}&tab=draft`)
    await user.click(await screen.findByTestId('button-edit'))
    const form = within(await findDialog('Edit Post'))
    return { user, form, content: await form.findByLabelText<HTMLTextAreaElement>(/^Content/) }
  }

  it('is restored, and saved as usual while the post is the same', async () => {
    const { world, write } = await edit()
    await write('Mine')
    const { user, form, content } = await openAgain(world)
    expect(content.value).toBe('Mine')
    expect(form.getByTestId('restored-note').textContent).toContain('Restored your unsaved text')
    expect(shown()).toBeNull()
    await user.click(form.getByTestId('button-save-post'))
    await toastIs(...done)
    expect(Object.keys(localStorage)).toEqual([])
  })

  it('keeps an image that somebody added meanwhile', async () => {
    const { world, post, write } = await edit()
    await write('Mine')
    changed(world, post.id, { imageUrl: 'https://img.example/theirs.png' })
    const { user, form, content } = await openAgain(world)
    expect(content.value).toBe('Mine')
    expect(shown()).toBeNull()
    await user.click(form.getByTestId('button-save-post'))
    await toastIs(...done)
    expect(sent()).toEqual([{ body: { content: 'Mine', generationId: null }, revision: '"1"' }])
  })

  it('shows both versions where the post has changed since [P1.8]', async () => {
    const { world, post, write } = await edit()
    await write('Mine')
    changed(world, post.id, { content: 'Theirs' })
    const { user, form, content } = await openAgain(world)
    expect(content.value).toBe('Mine')
    expect(shown()?.textContent).toBe('The current text of the post. Your text is above.Theirs')
    expect(form.getByTestId('button-save-post').textContent).toBe('Save mine instead')
    await user.click(form.getByTestId('button-save-post'))
    await toastIs(...done)
    expect(world.posts.map((each) => each.content)).toEqual(['Mine'])
    expect(sent()).toEqual([{ body: { content: 'Mine', generationId: null }, revision: '"1"' }])
  })
})
