/**
 * A child process for the tests: asks for a letter, says so, and with a port sends it by SMTP. It lives until it is
 * killed.
 */
import { join } from 'node:path'
import pino from 'pino'
import { systemClock } from '../../../core/clock.ts'
import { Letters } from '../../../features/mail/letters.ts'
import { smtpMail } from '../../../features/mail/smtp.ts'
import { serverAt } from '../../../features/mail/test/fake-smtp.ts'
import { TokenCipher } from '../../../networks/token-cipher.ts'
import { openEmbeddedRecords } from '../../../records/embedded.ts'
import { wholeWork } from '../../work-shares.ts'
import { createLetterSender } from '../letter-sender.ts'

const [folder = '', key = '', port] = process.argv.slice(2)
const records = await openEmbeddedRecords(join(folder, 'records.db'))
const letters = await Letters.open(records, new TokenCipher({ current: Buffer.from(key, 'hex') }), systemClock)
const message = { to: 'ada@example.com', subject: 'A subject', text: 'A text\n' }
const from = { name: 'SocialAI', address: 'no-reply@social.example' }
await letters.enqueue({ kind: 'invitation', about: ['1'], content: { message } })
if (port !== undefined)
  createLetterSender({
    letters,
    mail: smtpMail({ server: serverAt(Number(port)), from }),
    composers: {},
    shares: wholeWork,
    log: pino({ level: 'silent' }),
  }).start()
process.stdout.write('asked for\n')
setInterval(() => undefined, 60_000)
