/**
 * Processes that are killed while they have letters: nothing is lost.
 *
 * @module-tag long
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { patience } from '../../../domain/test/patience.ts'
import { MovableClock } from '../../core/clock.ts'
import { Letters, tryMs } from '../../features/mail/letters.ts'
import { smtpMail } from '../../features/mail/smtp.ts'
import { serverAt, startSmtpServer, type TestSmtpServer } from '../../features/mail/test/fake-smtp.ts'
import { TokenCipher } from '../../networks/token-cipher.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import { wholeWork } from '../work-shares.ts'
import { createLetterSender } from './letter-sender.ts'
import { compiled } from '../../../domain/test/compiled.ts'

const key = Buffer.alloc(32, 7)

let folder: string
let server: TestSmtpServer
let whenReceived: () => void
beforeEach(async () => {
  folder = await temporaryFolder('letters')
  whenReceived = () => undefined
  server = await startSmtpServer({ onMessage: () => whenReceived() })
})
afterEach(async () => {
  await server.close()
  await removeFolder(folder)
})

/** Asks for one letter, and sends it where it has a port. */
function child(port?: number) {
  const script = compiled('api/processes/letter-sender/test/letters.child.ts')
  const args = [script, folder, key.toString('hex'), ...(port === undefined ? [] : [String(port)])]
  const spawned = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void spawned.kill('SIGKILL'))
  return spawned
}

/** The next process, a minute after the first. */
async function sendTheRest(): Promise<{ advance(ms: number): void; nextRounds(): Promise<void> }> {
  const clock = new MovableClock()
  clock.advance(tryMs)
  const records = await openEmbeddedRecords(join(folder, 'records.db'))
  const letters = await Letters.open(records, new TokenCipher({ current: key }), clock)
  const mail = smtpMail({ server: serverAt(server.port), from: { name: '', address: 'no-reply@social.example' } })
  const log = pino({ level: 'silent' })
  let rounds = 0
  const shares = { ...wholeWork, leads: () => ++rounds > 0 }
  const sender = createLetterSender({ letters, mail, composers: {}, shares, log, config: { pollMs: 10 } })
  sender.start()
  onTestFinished(async () => {
    await sender.stop()
    await records.close()
  })
  const statuses = async () => {
    const found: string[] = []
    for await (const { status } of letters.all()) found.push(status)
    return found
  }
  await expect.poll(statuses, patience).toEqual(['sent'])
  const nextRounds = async () => {
    const before = rounds
    await expect.poll(() => rounds).toBeGreaterThan(before + 2)
  }
  return { advance: (ms) => clock.advance(ms), nextRounds }
}

describe('A process that is killed', () => {
  it('after it took a request leaves the letter to the next one', async () => {
    const killed = child()
    await once(killed.stdout, 'data')
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    await sendTheRest()
    expect(server.received).toHaveLength(1)
  })

  it('between sending and recording it has the letter sent twice, not more', async () => {
    const killed = child(server.port)
    whenReceived = () => void killed.kill('SIGKILL')
    await once(killed, 'exit')
    expect(server.received).toHaveLength(1)
    const { advance, nextRounds } = await sendTheRest()
    advance(24 * 3_600_000)
    await nextRounds()
    expect(server.received).toHaveLength(2)
  })
})
