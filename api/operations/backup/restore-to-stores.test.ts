/** A restore into stores: its working copy, and the backups that it refuses. Any stores of the ports will do. */
import { mkdir, readdir, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { chainHashes } from '../../../domain/event-store/chain.ts'
import { openEmbeddedEventStore } from '../../../domain/event-store/embedded.ts'
import { event, newStream } from '../../../domain/event-store/test/samples.ts'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { openEmbeddedOrigin } from '../../composition/embedded-origin.ts'
import { openMediaFolder } from '../../features/media/folder.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import { factsOf } from './disk.ts'
import { lockIn } from './lock.ts'
import type { Manifest } from './manifest.ts'
import { CantRestore } from './restore.ts'
import { restoreToStores } from './restore-to-stores.ts'

let folder: string
let backup: string
let manifest: Manifest
let to: Awaited<ReturnType<typeof storesIn>>

async function storesIn(at: string) {
  await mkdir(at)
  const [events, records] = [
    await openEmbeddedEventStore(join(at, 'events.db')),
    await openEmbeddedRecords(join(at, 'records.db')),
  ]
  return { events, records, media: await openMediaFolder(join(at, 'media')), contents: async () => [] }
}

async function close({ events, records }: typeof to): Promise<void> {
  await events.close()
  await records.close()
}

const restore = (signal = new AbortController().signal) =>
  restoreToStores(
    {
      from: backup,
      manifest,
      to,
      withoutDamagedImages: false,
      screen: { isTTY: false, write: () => undefined },
      signal,
    },
    openEmbeddedOrigin,
  )
const copies = async () => (await readdir(folder)).filter((name) => name.startsWith('socialai-restore-'))
const anHourAgo = new Date(Date.now() - 3_600_000)

beforeEach(async () => {
  folder = await temporaryFolder('restore')
  vi.stubEnv('TMPDIR', folder)
  backup = join(folder, 'backup')
  const made = await storesIn(backup)
  const stream = newStream()
  const {
    name,
    data,
    metadata: { hash: _, ...metadata },
  } = event()
  const fresh = { name, data, metadata }
  await made.events.append(stream, 'no-stream', chainHashes(stream, { revision: -1, hash: null }, [fresh]))
  await close(made)
  const files = await Promise.all(
    ['events.db', 'records.db'].map(async (path) => ({ path, ...(await factsOf(join(backup, path))) })),
  )
  const log = { events: 1, position: null }
  manifest = { format: 1, at: '2026-01-31T09:00:00.000Z', version: '0.1.0', log, problems: [], files }
  to = await storesIn(join(folder, 'to'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await close(to)
  await removeFolder(folder)
})

describe('A restore into stores', () => {
  it('removes its working copy', async () => {
    expect(await restore()).toMatchObject({ events: { seen: 1 }, leftOut: [] })
    expect(await to.events.count(null)).toBe(1)
    expect(await copies()).toEqual([])
  })

  it('removes what killed restores left behind, and nothing of one that runs or just began', async () => {
    const [killed = '', running = '', young = '', other = ''] = ['1', '2', '3', '4'].map((digit) =>
      join(folder, `socialai-restore-${digit === '4' ? 'notes' : digit.repeat(16)}`),
    )
    for (const one of [killed, running, young, other]) await mkdir(join(one, 'copy'), { recursive: true })
    lockIn(killed)?.()
    const release = lockIn(running)
    for (const one of [killed, running, other]) await utimes(one, anHourAgo, anHourAgo)
    await restore()
    expect((await copies()).map((name) => join(folder, name)).sort()).toEqual([running, young, other].sort())
    release?.()
    await utimes(running, anHourAgo, anHourAgo)
    await expect(restore()).rejects.toThrow('is restored there already')
    expect(await copies()).not.toContain(running.split('/').at(-1))
  })

  it.each(['events.db', 'records.db'])('refuses a backup without %s, and changes nothing', async (name) => {
    manifest = { ...manifest, files: manifest.files.filter(({ path }) => path !== name) }
    await rm(join(backup, name))
    const refused = restore()
    await expect(refused).rejects.toBeInstanceOf(CantRestore)
    await expect(refused).rejects.toThrow(`The backup in ${backup} has no ${name}, and nothing was restored`)
    expect(await to.events.count(null)).toBe(0)
    expect(await copies()).toEqual([])
  })
})
