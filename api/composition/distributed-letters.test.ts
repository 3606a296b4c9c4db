/** Letters of the distributed shape: asked for at an API, sent or kept by one of two workers. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keptLog } from '../testing/all-logs.ts'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { patience } from '../../domain/test/patience.ts'
import { startEventStore, type TestEventStore } from '../../domain/event-store/test/fake-eventstoredb/server.ts'
import { dropDatabase, hasMongo, newDatabase } from '../../projections/read-store/test/mongodb.ts'
import * as mail from '../bin/commands/mail.ts'
import { run } from '../bin/test/run.ts'
import { newEmail } from '../features/auth/test/helpers.ts'
import { tokenIn } from '../features/auth/test/letters.ts'
import { headersAndText } from '../features/mail/test/headers-and-text.ts'
import { startSmtpServer, type TestSmtpServer } from '../features/mail/test/fake-smtp.ts'
import { ApiClient } from '../http/client.ts'
import { readConfig } from '../runtime/config.ts'
import { startProcess, type Role, type RunningProcess } from './distributed.ts'

const password = 'correct horse'
const log = keptLog(process.env['TEST_LOG_LEVEL'] ?? 'silent')

describe.skipIf(!hasMongo)('Letters in the distributed shape', () => {
  let folder: string
  let env: Readonly<Record<string, string>>
  let eventStore: TestEventStore
  let smtp: TestSmtpServer
  let api: RunningProcess
  const workers: RunningProcess[] = []
  /** Whose letter was kept. */
  let keptFor = ''

  const start = (role: Role, more: Readonly<Record<string, string>> = {}): Promise<RunningProcess> =>
    startProcess(role, readConfig({ ...env, ...more }), { log, webRoot: join(folder, 'no-web') })
  const stopWorkers = () => Promise.all(workers.splice(0).map((worker) => worker.close()))
  async function registered(): Promise<string> {
    const email = newEmail()
    await new ApiClient(api.localUrl).callOrThrow('register', { body: { email, password } })
    return email
  }
  const forget = (email: string) => new ApiClient(api.localUrl).callOrThrow('forgotPassword', { body: { email } })
  const listed = async () => (await run(mail, ['list'], env)).text

  beforeAll(async () => {
    folder = await temporaryFolder('distributed-letters')
    eventStore = await startEventStore()
    smtp = await startSmtpServer()
    env = {
      PORT: '0',
      PUBLIC_URL: 'http://socialai.test',
      DATA_DIR: folder,
      EVENTSTORE_URL: eventStore.url,
      MONGODB_URL: newDatabase(),
      SESSION_SECRET: 's'.repeat(32),
      ENCRYPTION_KEY: 'ab'.repeat(32),
      AUDIT_SIGNING_KEY: 'cd'.repeat(32),
    }
    api = await start('api')
  })
  afterAll(async () => {
    await stopWorkers()
    await api.close()
    await smtp.close()
    await eventStore.close()
    await dropDatabase(env['MONGODB_URL'] ?? '')
    await removeFolder(folder)
  })

  it('wait for a worker, and without SMTP are kept for an operator, whose link works', async () => {
    const email = await registered()
    keptFor = email
    await forget(email)
    await forget(newEmail())
    expect((await listed()).match(/queued$/gm)).toHaveLength(2)
    workers.push(await start('worker'), await start('worker'))
    await expect.poll(listed, patience).toMatch(/kept: no SMTP server is set$/m)
    await expect.poll(listed, patience).toMatch(/not needed/)
    const id = /^(\w+).*kept/m.exec(await listed())?.[1] ?? ''
    const { text } = await run(mail, ['show', id], env)
    expect(text).toContain(`To: ${email}\n`)
    const body = { token: tokenIn(text), password: 'another password' }
    await new ApiClient(api.localUrl).callOrThrow('resetPassword', { body })
    const { ENCRYPTION_KEY: _, ...without } = env
    expect(await run(mail, ['list'], without)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/ENCRYPTION_KEY/),
    })
  })

  it('are sent once each, also when the worker that sends them stops', async () => {
    await stopWorkers()
    const withMail = { SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, SMTP_FROM: 'SocialAI <no-reply@social.example>' }
    const [first, second] = [await start('worker', withMail), await start('worker', withMail)]
    workers.push(first, second)
    const emails = [await registered(), await registered(), await registered(), await registered()]
    const [early, late] = [emails.slice(0, 2), emails.slice(2)]
    await Promise.all(early.map(forget))
    const addresses = () => smtp.received.map((raw) => headersAndText(raw).headers['to'] ?? '')
    const reached = () =>
      addresses()
        .filter((to) => emails.includes(to))
        .toSorted()
    await expect.poll(reached, patience).toEqual(early.toSorted())
    await Promise.all([first.close(), ...late.map(forget)])
    await expect.poll(reached, patience).toEqual(emails.toSorted())
    // What was kept before there was an SMTP server has left too, once each.
    const subjects = smtp.received.map((raw) => headersAndText(raw).headers).filter(({ to }) => to === keptFor)
    expect(subjects.map(({ subject }) => subject).toSorted()).toEqual([
      'Set a new password for SocialAI',
      'Your SocialAI password was changed',
    ])
  })
})
