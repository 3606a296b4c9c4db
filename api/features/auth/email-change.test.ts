/** Another e-mail address for an account: confirmed where it is, told where it was. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testServer, type TestServer } from '../../testing/server.ts'
import { Browser, letter, lettersTo, newEmail, password, person, resetToken, tokenIn } from './test/helpers.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ TRUST_PROXY: 'true' })
})
afterAll(() => server.remove())

const over = { status: 403, text: "This link doesn't work any more. Ask for a new one." }
const confirm = (token: string) => new Browser(server.url).ask('confirmEmail', { body: { token } })

async function asked(browser: Browser, email: string): Promise<string> {
  expect(await browser.status('changeEmail', { email, password })).toBe(204)
  return tokenIn(await letter(server, email, /^Confirm/))
}

describe('another e-mail address', () => {
  it('is the account’s once the link that came there was opened; sessions stay, the old address is told', async () => {
    const { browser, email: before } = await person(server)
    const after = newEmail()
    expect(await browser.status('changeEmail', { email: ` ${after.toUpperCase()}`, password })).toBe(204)
    const text = await letter(server, after, /^Confirm/)
    expect(text).toContain(`${server.url}/confirm-email#${tokenIn(text)}\n`)
    expect((await browser.callOrThrow('getUser')).email).toBe(before)

    expect(JSON.parse((await confirm(tokenIn(text))).text)).toEqual({ email: after })
    expect((await browser.callOrThrow('getUser')).email).toBe(after)
    expect([await new Browser(server.url).signIn(before), await new Browser(server.url).signIn(after)]).toEqual([
      401, 200,
    ])
    expect(await letter(server, before, /new e-mail address/)).not.toContain(after)
  })
  it('needs the password: who sits at a screen that was left open gets no further', async () => {
    const { browser } = await person(server)
    const email = newEmail()
    expect(await browser.ask('changeEmail', { body: { email, password: 'a guess' } })).toMatchObject({
      status: 403,
      text: "That isn't your current password.",
    })
    await resetToken(server, (await person(server)).email)
    expect(await lettersTo(server, email)).toEqual([])
  })
  it('tells nobody that the address has an account; its owner hears of it', async () => {
    const [{ browser }, { email: taken }] = [await person(server), await person(server)]
    const free = newEmail()
    const answers = await Promise.all(
      [taken, free].map((email) => browser.ask('changeEmail', { body: { email, password } })),
    )
    expect(answers.map(({ status, text }) => ({ status, text }))).toEqual(
      Array.from({ length: 2 }, () => ({ status: 204, text: '' })),
    )
    expect(tokenIn(await letter(server, taken, /has a SocialAI account/))).toBe('no token')
  })
  it.each([
    ['has an account', async () => (await person(server)).email, /has a SocialAI account/],
    ['has none', async () => newEmail(), /^Confirm/],
  ])(
    'fills nobody’s letter box, where the address %s: of many who ask, few letters come',
    async (_, emailOf, about) => {
      const email = await emailOf()
      for (let time = 0; time < 5; time++)
        expect(await (await person(server)).browser.status('changeEmail', { email, password })).toBe(204)
      await letter(server, email, about, 3)
      // Somebody who asks last has theirs after all of those.
      await resetToken(server, (await person(server)).email)
      expect(await lettersTo(server, email)).toHaveLength(3)
    },
  )
  it('that somebody else has taken meanwhile is refused', async () => {
    const { browser, email: before } = await person(server)
    const wanted = newEmail()
    const token = await asked(browser, wanted)
    await new Browser(server.url).callOrThrow('register', { body: { email: wanted, password } })
    expect(await confirm(token)).toMatchObject({ status: 409 })
    expect((await browser.callOrThrow('getUser')).email).toBe(before)
  })
  it('is wanted by two: one has it', async () => {
    const wanted = newEmail()
    const people = [await person(server), await person(server)]
    const tokens: string[] = []
    for (const [index, { browser }] of people.entries()) {
      expect(await browser.status('changeEmail', { email: wanted, password })).toBe(204)
      tokens.push(tokenIn(await letter(server, wanted, /^Confirm/, index + 1)))
    }
    expect((await Promise.all(tokens.map(confirm))).map(({ status }) => status).sort()).toEqual([200, 409])
  })
  it('is confirmed once, within a day, by the newest link', async () => {
    const { browser } = await person(server)
    const first = await asked(browser, newEmail())
    const second = await asked(browser, newEmail())
    expect(await confirm(first)).toMatchObject(over)
    expect((await Promise.all([confirm(second), confirm(second)])).map(({ status }) => status).sort()).toEqual([
      200, 403,
    ])
    const late = await asked(browser, newEmail())
    server.clock.advance(24 * 3_600_000)
    expect(await confirm(late)).toMatchObject(over)
  })
  it('is not confirmed by a link for something else', async () => {
    const { browser, email } = await person(server)
    expect(await confirm(await resetToken(server, email))).toMatchObject(over)
    const token = await asked(browser, newEmail())
    expect(await browser.ask('resetPassword', { body: { token, password: 'another password' } })).toMatchObject(over)
  })
  it('is over when the password changes, as whoever stole a password would want to keep it', async () => {
    const { browser, email } = await person(server)
    const token = await asked(browser, newEmail())
    const reset = await resetToken(server, email)
    expect(await browser.status('resetPassword', { token: reset, password: 'another password' })).toBe(204)
    expect(await confirm(token)).toMatchObject(over)
  })
  it('ends links that went to the old one', async () => {
    const { browser, email } = await person(server)
    const reset = await resetToken(server, email)
    expect((await confirm(await asked(browser, newEmail()))).status).toBe(200)
    expect(await browser.ask('resetPassword', { body: { token: reset, password: 'another password' } })).toMatchObject(
      over,
    )
  })
  it('is asked for so often: nobody writes to the whole world from here', async () => {
    const { browser } = await person(server)
    const found: number[] = []
    for (let time = 0; time < 6; time++)
      found.push(await browser.status('changeEmail', { email: newEmail(), password }))
    expect(found).toEqual([204, 204, 204, 204, 204, 429])
  })
})
