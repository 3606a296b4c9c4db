/** `npm run mail`, beside a running server and on a stopped one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { newEmail, person } from '../../features/auth/test/helpers.ts'
import { startSmtpServer, type TestSmtpServer } from '../../features/mail/test/fake-smtp.ts'
import { throughServer } from '../../operations/admin/client.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { run } from '../test/run.ts'
import * as mail from './mail.ts'

describe.skipIf(process.env['TEST_SHAPE'] === 'distributed')('npm run mail', () => {
  let smtp: TestSmtpServer
  let server: TestServer
  let email: string
  beforeAll(async () => {
    smtp = await startSmtpServer({ recipients: { code: 451, sentence: 'later' } })
    server = await testServer({
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      SMTP_FROM: 'SocialAI <no-reply@social.example>',
    })
    const someone = await person(server)
    email = someone.email
    for (const to of [email, newEmail()]) await someone.browser.callOrThrow('forgotPassword', { body: { email: to } })
  })
  afterAll(async () => {
    await server.remove()
    await smtp.close()
  })
  const ask = (...args: readonly string[]) => run(mail, args, { DATA_DIR: server.dataDir })

  it('lists letters with what became of them, and shows one with its link, on a running server', async () => {
    const listed = async () => (await ask('list')).text
    await expect.poll(listed, patience).toMatch(/reset-password {2}not needed at/)
    await expect
      .poll(listed, patience)
      .toMatch(/reset-password {2}queued, after 1 try \(EENVELOPE 451\), the next one at/)
    expect(await listed()).not.toMatch(/@|#/)
    const id = /^(\w+).*queued/m.exec(await listed())?.[1] ?? ''
    expect(await ask('show', id)).toMatchObject({
      code: 0,
      text: expect.stringMatching(
        new RegExp(`^To: ${email}\nSubject: Set a new password[^]*/reset-password#[\\w-]{43}$`, 'm'),
      ),
      errors: '',
    })
    expect(await throughServer(server.dataDir, 'mail', ['list'], { screen: { write: () => undefined } })).toBe(0)
  })

  it('queues letters that were given up, one or all', async () => {
    const id = /^(\w+).*not needed/m.exec((await ask('list')).text)?.[1] ?? ''
    expect(await ask('retry', id)).toMatchObject({ code: 0, text: 'Nothing was changed: the letter is not needed.\n' })
    expect(await ask('retry', '--failed')).toMatchObject({ code: 0, text: 'Queued 0 letters.\n' })
    expect(await ask('retry', 'x')).toMatchObject({ code: 2, errors: expect.stringContaining('no letter x') })
    for (const args of [['retry'], ['retry', id, '--failed']])
      expect(await ask(...args)).toMatchObject({ code: 1, errors: expect.stringContaining('Name one letter') })
  })

  it('names a letter that does not exist, and a command that it does not know', async () => {
    expect(await ask('show', 'x\u001b[2J')).toEqual({
      code: 2,
      text: '',
      errors: 'There is no letter x [2J. npm run mail -- list shows them.\n',
      all: expect.any(String),
    })
    expect(await ask('send')).toMatchObject({ code: 1, errors: expect.stringContaining('unknown command') })
    expect(await run(mail, ['list'], { DATA_DIR: `${server.dataDir}/none` })).toMatchObject({
      code: 1,
      errors: expect.stringContaining('There are no records in'),
    })
  })

  it('reads the files of a stopped server', async () => {
    await server.close()
    const { text } = await ask('list')
    expect(text.trim().split('\n')).toHaveLength(2)
    const id = /^(\w+).*not needed/m.exec(text)?.[1] ?? ''
    expect((await ask('show', id)).text).toContain('Nothing had to be sent')
  })
})
