/** The contract of every mail transport. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { headersAndText } from './headers-and-text.ts'
import type { Mail } from '../port.ts'

export interface OpenedMail {
  readonly mail: Mail
  /** The received mails as sent: headers, an empty line, the text. */
  readonly received: () => Promise<readonly string[]>
  readonly cleanup: () => Promise<void>
}

const link = `https://social.example/reset-password#${'A-z_'.repeat(10)}end`
const letter = { to: 'ada@example.com', subject: 'A subject', text: `First line.\n\n${link}\n\nLast line.\n` }

export function mailContract(name: string, open: () => Promise<OpenedMail>): void {
  describe(`mail through ${name}`, () => {
    let opened: OpenedMail
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.cleanup())
    const newest = async () => headersAndText((await opened.received()).at(-1) ?? '')

    it('arrives, with the link unbroken', async () => {
      await opened.mail.send(letter)
      const { headers, text } = await newest()
      expect(headers).toMatchObject({ to: 'ada@example.com', subject: 'A subject', 'auto-submitted': 'auto-generated' })
      expect(headers['from']).toMatch(/^SocialAI <no-reply@/)
      expect(headers['content-type']).toMatch(/^text\/plain/)
      expect(text.split('\n')).toContain(link)
    })

    it('cannot have extra headers injected through the subject', async () => {
      await opened.mail.send({ ...letter, subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nAnd a text' })
      const { headers } = await newest()
      expect(headers['bcc']).toBeUndefined()
      expect(headers['subject']).toBe('Hello Bcc: eve@example.com And a text')
    })

    it.each([
      'ada@example.com\r\nBcc: eve@example.com',
      'ada@example.com\nRCPT TO:<eve@example.com>',
      'ada@example.com, eve@example.com',
      'Ada <ada@example.com>',
      'ada@example.com\u0000',
      '',
      '@',
      'ada',
    ])('goes to exactly one address or nowhere: %j', async (to) => {
      const before = (await opened.received()).length
      await expect(opened.mail.send({ ...letter, to })).rejects.toMatchObject({
        name: 'MailFailed',
        isTemporary: false,
      })
      expect(await opened.received()).toHaveLength(before)
    })

    it('names its transport without a password', () => {
      expect(opened.mail.place).not.toMatch(/secret/)
    })
  })
}
