/** What tests of the connectors rely on: every request is remembered as it was sent. */
import { expect, it } from 'vitest'
import { freshSandbox, png } from './raw.ts'

const raw = freshSandbox()
const { ask } = raw

it('remembers what the networks were sent, bodies read and files counted, and not how it is steered', async () => {
  await raw.sandbox.plan('facebook', 'Blue Cup', { kind: 'slow' })
  const data = new FormData()
  data.set('published', 'false')
  data.set('source', new Blob([png], { type: 'image/png' }), 'a.png')
  await ask('/facebook/v25.0/61/photos?a=b', { key: 'k', data })
  await ask('/x/2/tweets', { key: 'k', json: { text: 'hi' } })
  await ask('/')
  expect(raw.sandbox.requests()).toMatchObject([
    {
      method: 'POST',
      path: '/facebook/v25.0/61/photos',
      query: { a: 'b' },
      headers: { authorization: 'Bearer k' },
      body: { published: 'false', source: { name: 'a.png', type: 'image/png', bytes: png.length } },
    },
    { method: 'POST', path: '/x/2/tweets', query: {}, body: { text: 'hi' } },
  ])
})
