import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { removeFolder, temporaryFolder } from '../test/folder.ts'
import { openEmbeddedEventStore } from './embedded.ts'
import { all, event, newStream } from './test/samples.ts'
import { SqliteFile } from './sqlite.ts'
import { eventStoreContract } from './test/suite.ts'
import { compiled } from '../test/compiled.ts'

eventStoreContract('One SQLite file', async () => {
  const { file, remove } = await newFile()
  let store = await openEmbeddedEventStore(file)
  const reopen = async () => {
    await store.close()
    return (store = await openEmbeddedEventStore(file))
  }
  const cleanup = async () => {
    await store.close()
    await remove()
  }
  return { store, reopen, cleanup }
})

describe("The log's file", () => {
  const taken = /^Another SocialAI is already running on .*events\.db\. Stop it first, or choose another DATA_DIR\.$/

  it('has one owner: a second opener in the same process gets an error, and the first continues', async () => {
    const file = await temporary()
    const store = await openEmbeddedEventStore(file)
    await expect(openEmbeddedEventStore(file)).rejects.toThrow(taken)
    await store.append(newStream(), 'no-stream', [event()])
    await expect(openEmbeddedEventStore(file)).rejects.toMatchObject({ name: 'StoreUnavailable' })
    await store.close()
    await (await openEmbeddedEventStore(file)).close()
  })

  it('has one owner: a second process gets an error', { tags: 'long' }, async () => {
    const file = await temporary()
    const store = await openEmbeddedEventStore(file)
    const refused = await first(writer(file).lines)
    expect(refused).toMatch(/^StoreUnavailable: Another SocialAI is already running/)
    await store.append(newStream(), 'no-stream', [event()])
    await store.close()
    const second = writer(file)
    expect(await first(second.lines)).toBe('open')
    await expect(openEmbeddedEventStore(file)).rejects.toThrow(taken)
    await second.kill()
  })

  it(
    'contains every acknowledged event after its writer was killed, and is unlocked at once',
    { tags: 'long' },
    async () => {
      const file = await temporary()
      const acknowledged = new Map<string, number>()
      for (const enough of [50, 333, 800]) {
        const child = writer(file)
        let count = 0
        for await (const line of child.lines) {
          const [stream, revision] = line.split(' ')
          // The kill may have cut the last line short.
          if (stream?.length === newStream().length && revision !== undefined)
            acknowledged.set(stream, Number(revision))
          count += 1
          if (count === enough) void child.kill()
        }
        await child.kill()
        const store = await openEmbeddedEventStore(file)
        for (const [stream, revision] of acknowledged) {
          const revisions = (await all(store.read(stream))).map((stored) => stored.revision)
          expect(revisions).toEqual(Array.from(revisions, (_, i) => i))
          expect(revisions.length).toBeGreaterThan(revision)
        }
        await store.close()
      }
      expect(acknowledged.size).toBe(24)
    },
  )

  it('rejects what does not fit a full disk, loses nothing, and accepts what still fits', async () => {
    const file = await temporary()
    const store = await openEmbeddedEventStore(file, { maxPages: 200 })
    const stream = newStream()
    await store.append(stream, 'no-stream', [event()])
    const large = event('SampleTaken', { content: 'x'.repeat(1_000_000) })
    const group = [store.append(newStream(), 'no-stream', [event()]), store.append(stream, 0, [large])]
    for (const outcome of await Promise.allSettled(group)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailable' } })
    }
    expect(await all(store.readAll(null))).toHaveLength(1)
    const position = await store.append(stream, 0, [event()])
    expect(await store.head()).toBe(position)
    expect(await all(store.readAll(null))).toHaveLength(2)
    await store.close()
  })

  it('rejects a name that it could not return unchanged, and stores nothing of that append', async () => {
    const store = await openEmbeddedEventStore(await temporary())
    await expect(store.append('sample-\0', 'no-stream', [event()])).rejects.toThrow(TypeError)
    await expect(store.append(newStream(), 'no-stream', [event(), event('Half\ud800')])).rejects.toThrow(TypeError)
    expect(await store.head()).toBeNull()
    await store.close()
  })

  it('returns forged events with positions below the first to every full read', async () => {
    const file = await temporary()
    const store = await openEmbeddedEventStore(file)
    await store.append('sample-1', 'no-stream', [event('SampleTaken')])
    await store.close()
    const sqlite = new SqliteFile(file, { synchronous: 'FULL' })
    const forge = sqlite.prepare(
      "INSERT INTO events SELECT CAST(? AS INTEGER), 'sample-1', ?, name, data, metadata FROM events WHERE position = 1",
    )
    for (const [index, position] of ['0', '-7', '-9223372036854775808'].entries()) forge.run([position, index + 1])
    sqlite.close()

    const tampered = await openEmbeddedEventStore(file)
    const places = (await all(tampered.readAll(null))).map(({ position, revision }) => [position, revision])
    expect(places.map(([, revision]) => revision)).toEqual([3, 2, 1, 0])
    expect(places.slice(1)).toEqual([
      ['-000000000000007', 2],
      ['0000000000000000', 1],
      ['0000000000000001', 0],
    ])
    expect(await tampered.count(null)).toBe(4)
    expect(await all(tampered.readAll(null, { names: ['SampleTaken'] }))).toHaveLength(4)
    expect(await all(tampered.readAll('-000000000000007'))).toHaveLength(2)
    await tampered.close()
  })

  it('counts a long log exactly, with other events in between', { tags: 'long' }, async () => {
    const store = await openEmbeddedEventStore(await temporary())
    const first = await store.append(newStream(), 'no-stream', [event('SampleTaken')])
    await store.append(newStream(), 'no-stream', [event('SampleKept')])
    for (let written = 0; written < 20_000; written += 1_000) {
      const many = Array.from({ length: 1_000 }, () => event('SampleTaken'))
      await store.append(newStream(), 'no-stream', many)
    }
    await store.append(newStream(), 'no-stream', [event('SampleKept')])
    expect(await store.count(null, { names: ['SampleTaken'] })).toBe(20_001)
    expect(await store.count(first, { names: ['SampleTaken'] })).toBe(20_000)
    expect(await store.count(null, { names: ['SampleTaken', 'SampleKept', 'SampleTaken'] })).toBe(20_003)
    await store.close()
  })

  it('is reported as unavailable when it can not be opened', async () => {
    await expect(openEmbeddedEventStore(tmpdir())).rejects.toMatchObject({ name: 'StoreUnavailable' })
  })
})

async function newFile(): Promise<{ file: string; remove: () => Promise<void> }> {
  const folder = await temporaryFolder('event-store')
  return { file: join(folder, 'events.db'), remove: () => removeFolder(folder) }
}

async function temporary(): Promise<string> {
  const { file, remove } = await newFile()
  onTestFinished(remove)
  return file
}

function writer(file: string) {
  const script = compiled('domain/event-store/test/writer.child.ts')
  const child = spawn(process.execPath, [script, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kill = () => {
    child.kill('SIGKILL')
    return gone
  }
  onTestFinished(kill)
  return { lines: createInterface({ input: child.stdout }), kill }
}

async function first(lines: AsyncIterable<string>): Promise<string | undefined> {
  for await (const line of lines) return line
  return undefined
}
