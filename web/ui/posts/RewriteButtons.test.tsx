/** Rewriting a text that is there, by one press. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fill, findDialog, renderRoute } from '../../test/app.tsx'
import { startFakeApi } from '../../test/fake-api.ts'
import { fakeWriter } from '../../test/fake-writer.ts'
import { signedIn } from '../../test/signed-in.ts'

const api = startFakeApi()
const typed = 'What I typed myself.'

describe('A text of a new post', () => {
  it.each([
    ['Shorter', 'shorter'],
    ['Longer', 'longer'],
    ['More casual', 'casual'],
    ['Add a call to action', 'call-to-action'],
  ] as const)('is rewritten by one press on %s, and stays until the suggestion is used', async (name, how) => {
    const world = signedIn(api)
    const writer = fakeWriter(api)
    const { user } = renderRoute(`/clients/${world.client.id}?tab=posts&compose=true`)
    const form = within(await findDialog('New Post'))
    const content = form.getByLabelText<HTMLTextAreaElement>(/^Content/)
    await fill(user, content, typed)
    await user.click(form.getByTestId('button-generate'))
    await form.findByLabelText('Topic')
    await user.click(form.getByText(name, { selector: 'button' }))
    await waitFor(() =>
      expect(api.sent('generateContent').map(({ body }) => body)).toMatchObject([{ rewrite: { text: typed, how } }]),
    )
    writer.finish(`It is ${how}.`)
    writer.end()
    await form.findByText('Use this text')
    expect(screen.getByTestId('suggestion').textContent).toBe(`It is ${how}.`)
    expect(content.value).toBe(typed)
  })
})
