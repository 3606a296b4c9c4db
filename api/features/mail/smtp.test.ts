import { afterEach, describe, expect, it } from 'vitest'
import { smtpMail } from './smtp.ts'
import { mailContract } from './test/suite.ts'
import { pass, serverAt, startSilentServer, startSmtpServer, user } from './test/fake-smtp.ts'

const from = { name: 'SocialAI', address: 'no-reply@social.example' }
const letter = { to: 'ada@example.com', subject: 'A subject', text: 'A text\n' }

mailContract('an SMTP server', async () => {
  const server = await startSmtpServer({ wantsPassword: true })
  const mail = smtpMail({ server: serverAt(server.port, { auth: { user, pass } }), from })
  return {
    mail,
    received: async () => server.received,
    async cleanup() {
      await mail.close()
      await server.close()
    },
  }
})

const open: { close(): Promise<void> }[] = []
const opened = <T extends { close(): Promise<void> }>(one: T): T => {
  open.push(one)
  return one
}
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

describe('a mailbox', () => {
  it('is the only recipient named to the server', async () => {
    const server = opened(await startSmtpServer())
    await opened(smtpMail({ server: serverAt(server.port), from })).send(letter)
    expect(server.recipients).toEqual(['ada@example.com'])
  })
})

describe('mail in transit', () => {
  it.each(['at once', 'needed', 'if offered'] as const)(
    'is encrypted with TLS %s and a trusted certificate',
    async (tls) => {
      const server = opened(
        await startSmtpServer({ tls: tls === 'at once' ? 'at once' : 'offered', wantsPassword: true }),
      )
      const mail = opened(
        smtpMail({ server: serverAt(server.port, { tls, auth: { user, pass } }), from }, { ca: server.ca }),
      )
      await mail.send(letter)
      expect({ received: server.received.length, secure: server.wasSecure() }).toEqual({ received: 1, secure: true })
    },
  )
  it.each(['at once', 'needed', 'if offered'] as const)(
    'is not sent with TLS %s and an untrusted certificate',
    async (tls) => {
      const server = opened(await startSmtpServer({ tls: tls === 'at once' ? 'at once' : 'offered' }))
      await expect(
        opened(smtpMail({ server: serverAt(server.port, { tls }), from })).send(letter),
      ).rejects.toMatchObject({ name: 'MailFailed' })
      expect(server.received).toEqual([])
    },
  )
  it('reveals no password when encryption is required and the server has none', async () => {
    const server = opened(await startSmtpServer({ wantsPassword: true }))
    const mail = opened(smtpMail({ server: serverAt(server.port, { tls: 'needed', auth: { user, pass } }), from }))
    await expect(mail.send(letter)).rejects.toMatchObject({ name: 'MailFailed' })
    expect(server.received).toEqual([])
  })
})

describe('a mail refused', () => {
  const refused = async (
    server: { readonly port: number },
    auth: typeof user | null = null,
    timing: { readonly silenceMs?: number } = {},
  ) => {
    const mail = opened(
      smtpMail(
        {
          server: serverAt(server.port, auth === null ? {} : { auth: { user: auth, pass: 'secret, but wrong' } }),
          from,
        },
        timing,
      ),
    )
    return mail.send(letter).then(
      () => 'sent' as const,
      (error: unknown) => error as { readonly reason: string; readonly isTemporary: boolean },
    )
  }

  it('because of the password is retried, as the settings can be mended', async () => {
    expect(await refused(opened(await startSmtpServer({ wantsPassword: true })), user)).toMatchObject({
      reason: 'EAUTH 535',
      isTemporary: true,
    })
  })
  it('permanently is not retried', async () => {
    expect(
      await refused(opened(await startSmtpServer({ recipients: { code: 550, sentence: 'no such person' } }))),
    ).toMatchObject({ reason: 'EENVELOPE 550', isTemporary: false })
  })
  it('temporarily is retried', async () => {
    expect(
      await refused(opened(await startSmtpServer({ recipients: { code: 451, sentence: 'come back later' } }))),
    ).toMatchObject({ reason: 'EENVELOPE 451', isTemporary: true })
  })
  it.each(['', '220 mail.example ESMTP\r\n', '220 mail.example ESMTP\r\n250-mail.example\r\n'])(
    'by silence after %j times out and is retried',
    { tags: 'long' },
    async (greeting) => {
      expect(await refused(opened(await startSilentServer(greeting)), null, { silenceMs: 300 })).toMatchObject({
        reason: 'ETIMEDOUT',
        isTemporary: true,
      })
    },
  )
  it('because the server is unreachable is retried', async () => {
    const server = await startSilentServer()
    await server.close()
    expect(await refused(server)).toMatchObject({ isTemporary: true })
  })
  it('is reported by codes that name no one', async () => {
    for (const server of [
      await startSmtpServer({ recipients: { code: 550, sentence: 'no' } }),
      await startSmtpServer({ wantsPassword: true }),
    ]) {
      const failure = await refused(opened(server), user)
      expect(JSON.stringify(failure) + String(failure)).not.toMatch(/ada@|secret|A text|No such/)
    }
  })
})

describe('closing', () => {
  it('cancels sending in progress', async () => {
    const server = opened(await startSilentServer())
    const mail = smtpMail({ server: serverAt(server.port), from })
    const sending = mail.send(letter)
    await mail.close()
    await expect(sending).rejects.toMatchObject({ name: 'MailFailed' })
  })
})
