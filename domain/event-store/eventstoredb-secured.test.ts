/**
 * Passwords and TLS as set in `EVENTSTORE_URL`.
 *
 * @module-tag long
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EventStoreDBClient } from '@eventstore/db-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../test/folder.ts'
import { openEventStoreDB } from './eventstoredb.ts'
import { OutcomeUnknown, SettingRefused } from './port.ts'
import { lightLoad } from './test/load.ts'
import { all, event, follow, newName, newStream } from './test/samples.ts'
import { eventStoreContract } from './test/suite.ts'
import { selfSigned } from './test/fake-eventstoredb/certificate.ts'
import { startEventStore, type TestEventStore } from './test/fake-eventstoredb/server.ts'

const login = { username: 'socialai', password: 'p@ss: word/?' }
const admin = { username: 'admin', password: 'changeit' }
const unprivileged = { username: 'few', password: 'rights', isAdmin: false }
let folder: string
let server: TestEventStore
beforeAll(async () => {
  folder = await temporaryFolder('tls')
  const certificate = selfSigned()
  await writeFile(join(folder, 'ca.crt'), certificate.cert)
  await writeFile(join(folder, 'other.crt'), selfSigned().cert)
  server = await startEventStore({ logins: [login, admin, unprivileged], certificate })
})
afterAll(async () => {
  await server.close()
  await removeFolder(folder)
})

/** @param trusted the file with the trusted server certificate */
function address({
  username = login.username,
  password = login.password,
  trusted = 'ca.crt',
}: { readonly username?: string | null; readonly password?: string; readonly trusted?: string } = {}): string {
  const who = username === null ? '' : `${username}:${encodeURIComponent(password)}@`
  return `${server.url.replace('esdb://127.0.0.1', `esdb://${who}localhost`)}&tlsCAFile=${encodeURIComponent(join(folder, trusted))}`
}

eventStoreContract(
  'The Streams protocol, with a password and TLS,',
  async () => {
    const store = openEventStoreDB(address())
    return { store, cleanup: () => store.close() }
  },
  lightLoad,
)

describe('Credentials', () => {
  it.each([
    ['wrong', { password: 'guessed' }, 'EventStoreDB refuses the credentials of EVENTSTORE_URL'],
    ['missing', { username: null }, 'EventStoreDB asks for a user and a password, and EVENTSTORE_URL has none'],
  ])('that are %s are reported as the cause without a retry, and nothing is stored', async (_, given, message) => {
    const [refused, known] = [openEventStoreDB(address(given)), openEventStoreDB(address())]
    const stream = newStream()
    const reason = { name: 'StoreUnavailable', message }
    const failure: unknown = await refused.append(stream, 'no-stream', [event()]).catch((error: unknown) => error)
    expect(failure).toMatchObject(reason)
    // No answer was lost, so the API may report that nothing was changed. After a retry it would be this error.
    expect(failure).not.toBeInstanceOf(OutcomeUnknown)
    await expect(all(refused.read(stream))).rejects.toMatchObject(reason)
    await expect(refused.head()).rejects.toMatchObject(reason)
    expect(await all(known.read(stream))).toEqual([])
    await Promise.all([refused.close(), known.close()])
  })

  it('of a user with fewest rights append; the missing right is named, and the metadata of $all gives it', async () => {
    const store = openEventStoreDB(address(unprivileged))
    const stream = newStream()
    const name = newName()
    const position = await store.append(stream, 'no-stream', [event(name)])
    expect(await all(store.read(stream))).toHaveLength(1)
    const reason = {
      name: 'StoreUnavailable',
      message:
        'The user few of EVENTSTORE_URL lacks the right to read $all in EventStoreDB. An administrator gives it in the metadata of $all: {"$acl":{"$r":["$admins","few"]}}',
    }
    await expect(store.head()).rejects.toMatchObject(reason)
    await expect(all(store.readAll(null, { names: [name] }))).rejects.toMatchObject(reason)
    await expect(follow(store, null, [name], 1)).rejects.toMatchObject(reason)
    const client = EventStoreDBClient.connectionString(address(admin))
    await client.setStreamMetadata('$all', { acl: { readRoles: ['$admins', unprivileged.username] } })
    await client.dispose()
    expect(await store.head({ names: [name] })).toBe(position)
    expect(await follow(store, null, [name], 1)).toHaveLength(1)
    await store.close()
  })
})

describe('A TLS setting that fails', () => {
  const others = () => `localhost:${server.port},localhost:${server.port}`
  let plain: TestEventStore
  beforeAll(async () => {
    plain = await startEventStore()
  })
  afterAll(() => plain.close())

  it.each([
    [
      'an untrusted certificate',
      () => address({ trusted: 'other.crt' }),
      /^The certificate of EventStoreDB is not accepted \(self-signed certificate\)\. Trying again won't help: /,
    ],
    [
      'an untrusted certificate of a cluster',
      () => address({ trusted: 'other.crt' }).replace(`localhost:${server.port}`, others()),
      /^The certificate of EventStoreDB is not accepted \(self-signed certificate\)\. Trying again won't help: /,
    ],
    [
      'tls=false to a port with TLS',
      () => `esdb://localhost:${server.port}?tls=false`,
      /^EventStoreDB asks for TLS, and EVENTSTORE_URL says tls=false .*Failed to connect.*Trying again won't help: /,
    ],
    [
      'tls=false to a cluster with TLS',
      () => `esdb://${others()}?tls=false`,
      /^EventStoreDB asks for TLS, and EVENTSTORE_URL says tls=false .*Trying again won't help: /,
    ],
    [
      'tls=true to a port without',
      () => `esdb://localhost:${plain.port}?tls=true`,
      /^EVENTSTORE_URL asks for TLS, and EventStoreDB answers without \(SSL routines: wrong version number\)\. /,
    ],
  ])('is named (%s), is not tried again, and nothing is sent', async (_, url, message) => {
    const store = openEventStoreDB(`${url()}&maxDiscoverAttempts=2`)
    const reason = { name: 'StoreUnavailable', message: expect.stringMatching(message) }
    const failure: unknown = await store.append(newStream(), 'no-stream', [event()]).catch((error: unknown) => error)
    expect(failure).toMatchObject(reason)
    expect(failure).toBeInstanceOf(SettingRefused)
    await expect(store.head()).rejects.toMatchObject(reason)
    await store.close()
  })

  it('is told apart from a server that is away', async () => {
    const gone = await startEventStore()
    await gone.close()
    for (const tls of [true, false]) {
      const store = openEventStoreDB(`esdb://localhost:${gone.port}?tls=${tls}`)
      const failure: unknown = await store.head().catch((error: unknown) => error)
      expect(failure).toMatchObject({ message: "EventStoreDB can't be reached just now" })
      expect(failure).not.toBeInstanceOf(SettingRefused)
      await store.close()
    }
  })
})
