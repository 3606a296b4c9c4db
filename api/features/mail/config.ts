/** The environment variables for mail: an SMTP server and a sender. */
import { z } from 'zod'

const inAddress = 'In a name or a password write @ : / ? % as %40 %3A %2F %3F %25'

/** To be spread into the environment schema. */
export const mailEnvironment = {
  SMTP_URL: z
    .string()
    .refine(
      (address) => smtpServerOf(address) !== null,
      `an address like smtp://user:password@mail.example:587 or smtps://user:password@mail.example. ${inAddress}`,
    )
    .optional(),
  SMTP_FROM: z
    .string()
    .refine(
      (text) => senderOf(text) !== null,
      'an address, or a name and an address, like SocialAI <no-reply@social.example>',
    )
    .optional(),
}

const shape = z.object(mailEnvironment)
export type MailEnvironment = z.output<typeof shape>

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /**
   * `at once`: implicit TLS; `needed`: STARTTLS or nothing is sent; `if offered`: STARTTLS if the server offers it;
   * `never`: none.
   */
  readonly tls: 'at once' | 'needed' | 'if offered' | 'never'
  readonly auth: { readonly user: string; readonly pass: string } | null
}

export interface Sender {
  readonly name: string
  readonly address: string
}

export interface MailSettings {
  readonly server: SmtpServer
  readonly from: Sender
}

/** `NAME: sentence` for a variable missing beside the other one; never a value. */
export function missingForMail({ SMTP_URL, SMTP_FROM }: MailEnvironment): string[] {
  if ((SMTP_URL === undefined) === (SMTP_FROM === undefined)) return []
  const [missing, there] = SMTP_URL === undefined ? ['SMTP_URL', 'SMTP_FROM'] : ['SMTP_FROM', 'SMTP_URL']
  return [`${missing}: missing, because ${there} is set; sending email needs both, or neither`]
}

/** Null: mail isn't set up. */
export function mailSettings({ SMTP_URL, SMTP_FROM }: MailEnvironment): MailSettings | null {
  const server = SMTP_URL === undefined ? null : smtpServerOf(SMTP_URL)
  const from = SMTP_FROM === undefined ? null : senderOf(SMTP_FROM)
  return server && from && { server, from }
}

function smtpServerOf(address: string): SmtpServer | null {
  if (!URL.canParse(address) || /[\s?#]/.test(address)) return null
  const { protocol, hostname, port, username, password, pathname } = new URL(address)
  const isSecure = protocol === 'smtps:'
  if ((!isSecure && protocol !== 'smtp:') || hostname === '' || (pathname !== '' && pathname !== '/')) return null
  if ((username === '') !== (password === '')) return null
  const auth = { user: decoded(username), pass: decoded(password) }
  if (auth.user === null || auth.pass === null) return null
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  // A password is never sent unencrypted over a network. Loopback needs no TLS, and servers there often have an
  // untrusted certificate.
  const startTls = isLoopback(host) ? 'never' : username === '' ? 'if offered' : 'needed'
  return {
    host,
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    tls: isSecure ? 'at once' : startTls,
    auth: username === '' ? null : { user: auth.user, pass: auth.pass },
  }
}

const isLoopback = (host: string) => /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host)

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

function senderOf(text: string): Sender | null {
  const [, name = '', inBrackets, bare] =
    /^(?:"?([^"<>\p{Cc}]*?)"?\s*<([^<>\s]+)>|([^<>\s]+))$/u.exec(text.trim()) ?? []
  const address = z.email().safeParse(inBrackets ?? bare)
  return address.success ? { name: name.trim(), address: address.data } : null
}
