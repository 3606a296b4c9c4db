/** A typical SMTP server that keeps the mails it accepts, and fails on demand. */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { selfSigned } from '../../../../domain/event-store/test/fake-eventstoredb/certificate.ts'
import type { SmtpServer } from '../config.ts'

export const user = 'socialai'
export const pass = 'secret: p@ss/word'

interface Behaviour {
  readonly tls?: 'at once' | 'offered'
  readonly wantsPassword?: boolean
  /** The answer to each recipient. */
  readonly recipients?: { readonly code: number; readonly sentence: string }
  /** Called when a message has arrived whole, before it is acknowledged. */
  readonly onMessage?: () => void
}

export interface TestSmtpServer {
  readonly port: number
  readonly ca: Buffer
  readonly received: readonly string[]
  /** The recipients named before each message. */
  readonly recipients: readonly string[]
  /** Whether the last message arrived encrypted. */
  readonly wasSecure: () => boolean
  close(): Promise<void>
}

export async function startSmtpServer({
  tls,
  wantsPassword = false,
  recipients: answer,
  onMessage,
}: Behaviour = {}): Promise<TestSmtpServer> {
  const { key, cert } = selfSigned()
  const received: string[] = []
  const recipients: string[] = []
  let wasSecure = false
  const server = new SMTPServer({
    key,
    cert,
    secure: tls === 'at once',
    authOptional: !wantsPassword,
    allowInsecureAuth: tls === undefined,
    disabledCommands: [...(tls === undefined ? ['STARTTLS'] : []), ...(wantsPassword ? [] : ['AUTH'])],
    onAuth: (auth, _session, done) =>
      auth.username === user && auth.password === pass
        ? done(null, { user })
        : done(Object.assign(new Error(`No such password: ${auth.password}`), { responseCode: 535 })),
    onRcptTo(address, _session, done) {
      recipients.push(address.address)
      done(
        answer
          ? Object.assign(new Error(`${address.address}: ${answer.sentence}`), { responseCode: answer.code })
          : null,
      )
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
      stream.once('end', () => {
        wasSecure = session.secure
        received.push(Buffer.concat(chunks).toString())
        onMessage?.()
        done()
      })
    },
  })
  // Some tests abort connections on purpose.
  server.on('error', () => undefined)
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return {
    port: (listening.address() as AddressInfo).port,
    ca: cert,
    received,
    recipients,
    wasSecure: () => wasSecure,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Accepts connections, optionally greets, and never answers. */
export async function startSilentServer(greeting = ''): Promise<{ readonly port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.write(greeting)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

export const serverAt = (port: number, settings: Partial<SmtpServer> = {}): SmtpServer => ({
  host: '127.0.0.1',
  port,
  tls: 'never',
  auth: null,
  ...settings,
})
