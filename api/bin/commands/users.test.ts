/**
 * `npm run users`, beside a running server and on its files.
 *
 * @module-tag long
 */
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser } from '../../features/auth/test/helpers.ts'
import { letter } from '../../features/auth/test/letters.ts'
import { personWithApp } from '../../features/auth/test/second-factor.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { run } from '../test/run.ts'
import * as users from './users.ts'

const lines: string[] = []
const log = pino({ level: 'warn' }, { write: (text: string) => void lines.push(text) })
let server: TestServer
beforeAll(async () => {
  server = await testServer({ TRUST_PROXY: 'true' }, { log })
})
afterAll(() => server.remove())

const reset = (email: string) => run(users, ['reset-factors', email], { DATA_DIR: server.dataDir, LOG_LEVEL: 'silent' })

describe('npm run users -- reset-factors', () => {
  it('removes the factors through the running server: the password signs in again, the person is told [S134]', async () => {
    const { email, id } = await personWithApp(server)
    expect(await new Browser(server.url).signIn(email)).toBe(401)
    expect(await reset(` ${email.toUpperCase()}`)).toMatchObject({
      code: 0,
      text: `Removed the second factors of ${email}. The password alone signs in again.\n`,
    })
    expect(await new Browser(server.url).signIn(email)).toBe(200)
    await letter(server, email, /^The second factors of your SocialAI account were removed/)
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(logged.filter(({ security }) => security === 'reset-factors')).toMatchObject([
      { outcome: 'done', userId: id, source: 'operator' },
    ])
    expect((await reset(email)).text).toBe(`${email} has no second factors. Nothing was changed.\n`)
  })
  it('names an unknown address, with exit code 1', async () => {
    expect(await reset('nobody@example.com')).toMatchObject({
      code: 1,
      errors: 'There is no account with the address nobody@example.com.\n',
    })
  })
  it('works on the files of a stopped server, and logs to its errors', async () => {
    const stopped = await testServer({ TRUST_PROXY: 'true' })
    const { email, id } = await personWithApp(stopped)
    await stopped.close()
    const ran = await run(users, ['reset-factors', email], { DATA_DIR: stopped.dataDir })
    expect(ran).toMatchObject({ code: 0, text: expect.stringContaining('Removed the second factors') })
    expect(JSON.parse(ran.errors)).toMatchObject({ security: 'reset-factors', userId: id, source: 'operator' })
    expect(await letter(stopped, email, /^The second factors/)).toContain('http://localhost:3000/')
    await stopped.remove()
  })
  it('names a folder without records', async () => {
    expect(
      await run(users, ['reset-factors', 'a@example.com'], { DATA_DIR: `${server.dataDir}/nothing` }),
    ).toMatchObject({ code: 4, errors: expect.stringMatching(/^There are no records in /) })
  })
})
