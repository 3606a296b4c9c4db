/** Validation of environment variables, and its error messages. */
import { writeFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { readConfig } from './config.ts'
import { warningsOf } from '../networks/config.ts'
import { testServer } from '../testing/server.ts'

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === '::1')
const app = (name: string) => ({ [`${name}_APP_ID`]: 'id', [`${name}_APP_SECRET`]: 'secret' })

describe('PUBLIC_URL', () => {
  it.each([
    'https://me:secret@social.example',
    'https://me@social.example',
    'https://social.example/?a=b',
    'https://social.example/#here',
    'https://social.example/?',
    'https://social.example/#',
  ])('%s is refused without repeating it', (PUBLIC_URL) => {
    expect(() => readConfig({ PUBLIC_URL })).toThrow(
      /PUBLIC_URL: an address without a path, like https:\/\/social\.example/,
    )
    expect(() => readConfig({ PUBLIC_URL })).not.toThrow(/secret/)
  })
  it.each(['https://social.example', 'https://social.example/', 'HTTPS://Social.Example:443'])(
    '%s is accepted',
    (PUBLIC_URL) => {
      expect(readConfig({ PUBLIC_URL }).PUBLIC_URL).toBe('https://social.example')
    },
  )
})

describe('SESSION_IDLE_DAYS', () => {
  it('defaults to seven days, and accepts one to fourteen', () => {
    expect(
      [{}, { SESSION_IDLE_DAYS: '1' }, { SESSION_IDLE_DAYS: '14' }].map((env) => readConfig(env).SESSION_IDLE_DAYS),
    ).toEqual([7, 1, 14])
  })
  it.each(['0', '15', '-1', '1.5', 'week'])('%s is refused with an explanation', (SESSION_IDLE_DAYS) => {
    expect(() => readConfig({ SESSION_IDLE_DAYS })).toThrow(/SESSION_IDLE_DAYS: from 1 to 14 days/)
  })
})

describe('HOST', () => {
  it.each(hasIpv6 ? ['::1', '::', '127.0.0.1', '0.0.0.0'] : ['127.0.0.1', '0.0.0.0'])(
    '%s is served, at an address that a browser can open',
    async (HOST) => {
      const server = await testServer({ HOST })
      try {
        expect((await fetch(`${server.url}/healthz`, { headers: { connection: 'close' } })).status).toBe(200)
        expect((await fetch(`${server.localUrl}/healthz`, { headers: { connection: 'close' } })).status).toBe(200)
      } finally {
        await server.remove()
      }
    },
  )
  it.each(['http://localhost', 'localhost:3000', '[::1]', 'a b', 'fe80::1%eth0'])(
    '%s is refused with an explanation',
    (HOST) => {
      expect(() => readConfig({ HOST })).toThrow(/HOST: a name or an address of this machine, like 127\.0\.0\.1/)
    },
  )
})

describe('the addresses of the stores', () => {
  const secrets = {
    SESSION_SECRET: 's'.repeat(32),
    ENCRYPTION_KEY: 'ab'.repeat(32),
    AUDIT_SIGNING_KEY: 'cd'.repeat(32),
    PUBLIC_URL: 'https://social.example',
  }
  const read = (EVENTSTORE_URL: string, MONGODB_URL: string) => readConfig({ ...secrets, EVENTSTORE_URL, MONGODB_URL })
  const [log, people] = ['esdb://eventstore:2113?tls=false', 'mongodb://mongo:27017/socialai']

  it.each([
    'kurrentdb://hidden:2113',
    'esdb://hidden:2113?tls=maybe',
    'esdb://hidden:2113?foo=bar',
    'esdb://hidden:2113?tlsVerifyCert=false',
    'esdb://hidden:2113?tls=false&throwOnAppendFailure=false',
    'esdb://hidden:2113?throw_on_append_failure=true',
    'esdb://hidden:99999',
    'esdb://me:hid@den@h:2113',
    'esdb://',
    'http://hidden:2113',
  ])('are named when wrong, without repeating them: %s', (EVENTSTORE_URL) => {
    const sentence = /^SocialAI can't start with these settings:\n {2}EVENTSTORE_URL: an address like esdb:.*can stand$/
    expect(() => read(EVENTSTORE_URL, people)).toThrow(sentence)
    expect(() => read(EVENTSTORE_URL, people)).not.toThrow(/hid/)
  })
  it.each([
    'mongodb://hidden:99999/x',
    'mongodb://me:hid@den@h/x',
    'mongodb://hidden/x?foo=bar',
    'mongodb://hidden/a.b',
    'mongodb://hidden/x?tls=maybe',
    'mongodb://hidden',
    'mongodb://hidden/?tls=true',
    'http://hidden/x',
  ])('are named when wrong, without repeating them: %s', (MONGODB_URL) => {
    const sentence =
      /^SocialAI can't start with these settings:\n {2}MONGODB_URL: an address with a database, like mongodb:.*can stand$/
    expect(() => read(log, MONGODB_URL)).toThrow(sentence)
    expect(() => read(log, MONGODB_URL)).not.toThrow(/hid/)
  })
  it.each([
    [log, people],
    [
      'esdb://admin:ch%40ngeit@eventstore:2113',
      'mongodb://me:p%40ss@a:27017,b:27018/socialai?authSource=admin&replicaSet=rs0',
    ],
    [
      'esdb+discover://a:2113,b:2113,c:2113/?tls=false&nodePreference=leader',
      'mongodb+srv://cluster.social.example/socialai?retryWrites=true&w=majority',
    ],
    ['esdb://127.0.0.1:2113?tls=true', 'mongodb://[::1]:27017/social-ai?directConnection=true'],
  ])('are accepted as %s and %s', (EVENTSTORE_URL, MONGODB_URL) => {
    expect(read(EVENTSTORE_URL, MONGODB_URL)).toMatchObject({ EVENTSTORE_URL, MONGODB_URL })
  })
})

describe('the addresses of a shared sandbox', () => {
  it('are one for browsers and one for processes; the second needs the first', () => {
    const addresses = {
      SANDBOX_URL: 'http://localhost:8080/sandbox',
      SANDBOX_INTERNAL_URL: 'http://sandbox:3000/sandbox',
      PUBLIC_INTERNAL_URL: 'http://api:3000',
    }
    expect(readConfig(addresses)).toMatchObject(addresses)
    expect(() => readConfig({ SANDBOX_INTERNAL_URL: addresses.SANDBOX_INTERNAL_URL })).toThrow(/SANDBOX_URL: missing/)
    expect(() => readConfig({ PUBLIC_INTERNAL_URL: 'http://api:3000/media' })).toThrow(
      /PUBLIC_INTERNAL_URL: an address/,
    )
  })
})

describe('a setting in a file', () => {
  let folder: string
  beforeEach(async () => {
    folder = await temporaryFolder('settings')
  })
  afterEach(() => removeFolder(folder))
  const secret = 'only-the-file-has-this-secret-of-mine'
  const fileOf = async (text: string) => {
    const file = join(folder, 'setting')
    await writeFile(file, text)
    return file
  }

  it.each(['', '\n', '\r\n'])('is read like one in the environment, with any line end: %j', async (end) => {
    expect(readConfig({ SESSION_SECRET_FILE: await fileOf(secret + end) }).SESSION_SECRET).toBe(secret)
  })
  it('is validated too, and not repeated in errors', async () => {
    const env = { ENCRYPTION_KEY_FILE: await fileOf(secret) }
    expect(() => readConfig(env)).toThrow(/ENCRYPTION_KEY: 64 hexadecimal digits/)
    expect(() => readConfig(env)).not.toThrow(new RegExp(secret))
  })
  it('is refused beside the same one in the environment', async () => {
    const env = { SESSION_SECRET: 's'.repeat(32), SESSION_SECRET_FILE: await fileOf(secret) }
    expect(() => readConfig(env)).toThrow(/SESSION_SECRET: given twice/)
  })
  it('is named if it is missing', () => {
    expect(() => readConfig({ SESSION_SECRET_FILE: join(folder, 'nowhere') })).toThrow(
      /SESSION_SECRET_FILE: .*nowhere can't be read \(ENOENT\)/,
    )
  })
})

describe('warnings at the start', () => {
  const warnings = (env: Readonly<Record<string, string>>, publicUrl = 'http://localhost:3000') =>
    warningsOf(readConfig(env), publicUrl)

  it('are absent for working settings', () => {
    expect(warnings({})).toEqual([])
    expect(
      warnings({ ...app('INSTAGRAM'), INSTAGRAM_GRAPH_URL: 'https://graph.example' }, 'https://social.example'),
    ).toEqual([])
    expect(warnings(app('FACEBOOK'))).toEqual([])
  })
  it('say that Instagram cannot fetch images from a local address', () => {
    for (const publicUrl of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000']) {
      expect(warnings(app('INSTAGRAM'), publicUrl)).toEqual([
        expect.stringMatching(/^Instagram can't fetch images from .* PUBLIC_URL/),
      ])
    }
  })
  it('name settings without effect, of a network that is not set up', () => {
    const env = { FACEBOOK_GRAPH_URL: 'https://graph.example', LINKEDIN_SCOPE: 'openid', ...app('INSTAGRAM') }
    expect(warnings(env, 'https://social.example')).toEqual([
      'FACEBOOK_GRAPH_URL has no effect without FACEBOOK_APP_ID and FACEBOOK_APP_SECRET.',
      'LINKEDIN_SCOPE has no effect without LINKEDIN_CLIENT_ID and LINKEDIN_CLIENT_SECRET.',
    ])
  })
})
