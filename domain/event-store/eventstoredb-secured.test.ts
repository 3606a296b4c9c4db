/** Passwords and TLS as set in `EVENTSTORE_URL`. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../test/folder.ts'
import { openEventStoreDB } from './eventstoredb.ts'
import { OutcomeUnknown } from './port.ts'
import { lightLoad } from './test/load.ts'
import { all, event, newStream } from './test/samples.ts'
import { eventStoreContract } from './test/suite.ts'
import { selfSigned } from './test/fake-eventstoredb/certificate.ts'
import { startEventStore, type TestEventStore } from './test/fake-eventstoredb/server.ts'

const login = { username: 'socialai', password: 'p@ss: word/?' }
let folder: string
let server: TestEventStore
beforeAll(async () => {
  folder = await temporaryFolder('tls')
  const certificate = selfSigned()
  await writeFile(join(folder, 'ca.crt'), certificate.cert)
  await writeFile(join(folder, 'other.crt'), selfSigned().cert)
  server = await startEventStore({ login, certificate })
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
    ['wrong', { password: 'guessed' }],
    ['missing', { username: null }],
  ])('that are %s are reported as the cause without a retry, and nothing is stored', async (_, given) => {
    const [refused, known] = [openEventStoreDB(address(given)), openEventStoreDB(address())]
    const stream = newStream()
    const reason = { name: 'StoreUnavailable', message: 'EventStoreDB refuses the credentials of EVENTSTORE_URL' }
    const failure: unknown = await refused.append(stream, 'no-stream', [event()]).catch((error: unknown) => error)
    expect(failure).toMatchObject(reason)
    // No answer was lost, so the API may report that nothing was changed. After a retry it would be this error.
    expect(failure).not.toBeInstanceOf(OutcomeUnknown)
    await expect(all(refused.read(stream))).rejects.toMatchObject(reason)
    await expect(refused.head()).rejects.toMatchObject(reason)
    expect(await all(known.read(stream))).toEqual([])
    await Promise.all([refused.close(), known.close()])
  })
})

it('A server with an untrusted certificate gets no request', async () => {
  const store = openEventStoreDB(address({ trusted: 'other.crt' }))
  await expect(store.head()).rejects.toMatchObject({ name: 'StoreUnavailable' })
  await store.close()
})
