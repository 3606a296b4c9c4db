import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { canMount, smallDisk } from '../../testing/faults/helpers.ts'
import { emptyOutbox, outbox } from './outbox.ts'
import { mailContract } from './test/suite.ts'

const letter = { to: 'ada@example.com', subject: 'A subject', text: 'A text\n' }
const lettersIn = async (folder: string) => {
  const names = (await readdir(folder).catch(() => [])).sort()
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
}

mailContract('the outbox', async () => {
  const data = await temporaryFolder('outbox')
  const folder = join(data, 'outbox')
  return { mail: outbox(folder), received: () => lettersIn(folder), cleanup: () => removeFolder(data) }
})

describe('the outbox', () => {
  let data: string
  let folder: string
  beforeEach(async () => {
    data = await temporaryFolder('outbox')
    folder = join(data, 'outbox')
  })
  afterEach(() => removeFolder(data))

  it('is readable by its owner alone', async () => {
    await outbox(folder).send(letter)
    const [name = ''] = await readdir(folder)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  })
  it('keeps the newest letters', async () => {
    const mail = outbox(folder, 3)
    for (const subject of ['one', 'two', 'three', 'four', 'five']) await mail.send({ ...letter, subject })
    const kept = await lettersIn(folder)
    expect(kept.map((text) => /^Subject: (.*)$/m.exec(text)?.[1])).toEqual(['three', 'four', 'five'])
  })
  it('keeps the letter just written, and the newest after it, even when the clock was set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      vi.setSystemTime('2030-01-01T00:00:00.000Z')
      for (const subject of ['one', 'two', 'three']) await outbox(folder, 3).send({ ...letter, subject })
      vi.setSystemTime('2026-01-01T00:00:00.000Z')
      for (const subject of ['four', 'five']) await outbox(folder, 3).send({ ...letter, subject })
    } finally {
      vi.useRealTimers()
    }
    expect((await lettersIn(folder)).map((text) => /^Subject: (.*)$/m.exec(text)?.[1])).toEqual([
      'three',
      'four',
      'five',
    ])
  })
  it('that cannot be written reports a temporary failure', async () => {
    await writeFile(folder, 'a file where the folder should be')
    await expect(outbox(folder).send(letter)).rejects.toMatchObject({ name: 'MailFailed', isTemporary: true })
  })
  it('deletes the half-written letters of an earlier process', async () => {
    await outbox(folder).send(letter)
    await writeFile(join(folder, '2026-01-01T00-00-00.000Z-000001.part'), 'To: ada@example.com')
    await outbox(folder).send(letter)
    expect((await readdir(folder)).map(extname)).toEqual(['.eml', '.eml'])
  })
  it('keeps all letters that are sent at once at the start', async () => {
    const mail = outbox(folder)
    await Promise.all(Array.from({ length: 30 }, () => mail.send(letter)))
    expect(await lettersIn(folder)).toHaveLength(30)
  })
  it.skipIf(!canMount)('keeps nothing of a letter that does not fit on the disk', async () => {
    const disk = await smallDisk(1)
    const mail = outbox(join(disk.path, 'outbox'))
    await mail.send(letter)
    await expect(mail.send({ ...letter, text: 'x'.repeat(2_000_000) })).rejects.toMatchObject({
      reason: 'ENOSPC',
      isTemporary: true,
    })
    expect((await readdir(mail.place)).map(extname)).toEqual(['.eml'])
    await mail.send(letter)
    expect(await lettersIn(mail.place)).toHaveLength(2)
  })
  it('can be emptied, even when absent, and accepts letters again', async () => {
    const mail = outbox(folder)
    for (let time = 0; time < 2; time++) {
      await emptyOutbox(folder)
      expect(await lettersIn(folder)).toEqual([])
      await mail.send(letter)
    }
    expect(await lettersIn(folder)).toHaveLength(1)
  })
  it('can be emptied while letters are written: one that is hit is sent again', async () => {
    const mail = outbox(folder)
    const sending = Promise.allSettled(Array.from({ length: 60 }, () => mail.send(letter)))
    for (let time = 0; time < 20; time++) await emptyOutbox(folder)
    for (const sent of await sending)
      if (sent.status === 'rejected') expect(sent.reason).toMatchObject({ reason: 'ENOENT', isTemporary: true })
    await emptyOutbox(folder)
    expect(await lettersIn(folder)).toEqual([])
  })
})
