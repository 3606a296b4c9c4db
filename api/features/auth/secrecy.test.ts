/**
 * Data from the account's forms appears in no event and no log line, and in no file beyond what must be stored.
 *
 * @module-tag long
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { startSmtpServer, type TestSmtpServer } from '../mail/test/fake-smtp.ts'
import { headersAndText } from '../mail/test/headers-and-text.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { Browser, newEmail, person } from './test/helpers.ts'
import { tokenIn } from './test/letters.ts'

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (text: string) => void lines.push(text) })
let mail: TestSmtpServer
let refusing: TestSmtpServer
beforeAll(async () => {
  mail = await startSmtpServer()
  refusing = await startSmtpServer({ recipients: { code: 550, sentence: 'is unknown here' } })
})
afterAll(async () => {
  await mail.close()
  await refusing.close()
})

const startedWith = (smtp: TestSmtpServer, dataDir?: string): Promise<TestServer> =>
  testServer(
    {
      TRUST_PROXY: 'true',
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      SMTP_FROM: 'SocialAI <no-reply@social.example>',
      ...(dataDir === undefined ? {} : { DATA_DIR: dataDir }),
    },
    { log },
  )

/** The token of the nth mail with a link. */
async function tokenFor(email: string, nth: number): Promise<string> {
  const mine = () =>
    mail.received.map(headersAndText).filter(({ headers, text }) => headers['to'] === email && text.includes('#'))
  await expect.poll(() => mine().length, patience).toBeGreaterThanOrEqual(nth)
  return tokenIn(mine()[nth - 1]?.text ?? '')
}

describe('addresses, passwords and links', () => {
  it('are in no event and no log line; of a link, only a digest is stored [S82]', async () => {
    let server = await startedWith(mail)
    const { browser, email, id } = await person(server)
    await browser.callOrThrow('openAgency', { body: { name: 'North Star', email: 'hello@northstar.example' } })
    const [next, ...passwords] = [newEmail(), 'a guess of somebody', 'the second password', 'the third password']
    await new Browser(server.url).signIn(email, passwords[0])
    await browser.status('changePassword', { currentPassword: passwords[0], newPassword: passwords[1] })
    await browser.callOrThrow('forgotPassword', { body: { email } })
    const reset = await tokenFor(email, 1)
    await browser.callOrThrow('resetPassword', { body: { token: reset, password: passwords[1] } })
    expect(await browser.signIn(email, passwords[1])).toBe(200)
    await browser.callOrThrow('changeEmail', { body: { email: next, password: passwords[1] } })
    const confirm = await tokenFor(next, 1)
    await browser.callOrThrow('confirmEmail', { body: { token: confirm } })
    await browser.callOrThrow('changePassword', { body: { currentPassword: passwords[1], newPassword: passwords[2] } })
    await browser.callOrThrow('forgotPassword', { body: { email: next } })
    const open = await tokenFor(next, 2)
    const { dataDir } = server
    await server.close()

    server = await startedWith(refusing, dataDir)
    await new Browser(server.url).callOrThrow('forgotPassword', { body: { email: next } })
    await expect.poll(() => lines.some((line) => line.includes('Could not send a mail'))).toBe(true)
    const events: string[] = []
    for await (const batch of server.commands.ports.events.readAll(null)) events.push(JSON.stringify(batch))
    const records =
      (await readFile(join(dataDir, 'records.db'), 'latin1').catch(() => '')) +
      (await readFile(join(dataDir, 'records.db-wal'), 'latin1').catch(() => ''))
    await server.remove()

    const tokens = [reset, confirm, open]
    expect(tokens.every((token) => /^[\w-]{43}$/.test(token))).toBe(true)
    expect({ isAgencys: events.some((text) => text.includes(id)), isSent: lines.length > 3 }).toEqual({
      isAgencys: true,
      isSent: true,
    })
    const secrets = [email, next, ...passwords, ...tokens, browser.cookie.slice(20, 60), browser.device.slice(20, 60)]
    expect(secrets.filter((secret) => [...lines, ...events].some((text) => text.includes(secret)))).toEqual([])
    expect([...passwords, ...tokens].filter((secret) => records.includes(secret))).toEqual([])
  })
})
