/** Mail through an SMTP server. */
import { createTransport } from 'nodemailer'
import { addressed, ofEvery } from './addressed.ts'
import type { MailSettings, SmtpServer } from './config.ts'
import { MailFailed, type Mail } from './port.ts'

interface Options {
  /** Idle timeout of the connection; a whole message has three times that. */
  readonly silenceMs?: number
  /** A CA certificate to trust besides the public ones. */
  readonly ca?: Buffer
}

export function smtpMail({ server, from }: MailSettings, { silenceMs = 10_000, ca }: Options = {}): Mail {
  const { host, port, auth } = server
  const transport = createTransport({
    host,
    port,
    ...wrapping(server.tls),
    ...(auth ? { auth } : {}),
    ...(ca ? { tls: { ca } } : {}),
    dnsTimeout: silenceMs,
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
  })
  const closing = new AbortController()
  return {
    place: `${host}:${port}`,
    async send(message) {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(3 * silenceMs)])
      try {
        const { to, subject } = addressed(message)
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          envelope: { from: from.address, to: [to] },
          subject,
          text: message.text,
          headers: ofEvery,
          disableFileAccess: true,
          disableUrlAccess: true,
          signal,
        })
      } catch (error) {
        throw failureOf(error)
      }
    },
    async close() {
      closing.abort()
      transport.close()
    },
  }
}

function wrapping(tls: SmtpServer['tls']) {
  return { secure: tls === 'at once', requireTLS: tls === 'needed', ignoreTLS: tls === 'never' }
}

/** Reports codes alone: a server's text quotes addresses. */
function failureOf(error: unknown): MailFailed {
  if (error instanceof MailFailed) return error
  const { code, responseCode, permanent } = (error instanceof Error ? error : {}) as {
    readonly code?: unknown
    readonly responseCode?: unknown
    readonly permanent?: unknown
  }
  const reason = [code ?? 'unknown', responseCode].filter(Boolean).join(' ')
  // A wrong password is a matter of the settings: the letters are sent once an operator has mended it.
  return new MailFailed(reason, permanent !== true || code === 'EAUTH' || code === 'ENOAUTH')
}
