/** Turns the client's errors into ours, with sentences for the operator. */
import { connect } from 'node:tls'
import { EventStoreDBClient } from '@eventstore/db-client'
import { hostsOf, ofNode, userOf, usesTls } from './eventstoredb-address.ts'
import { SettingRefused, StoreUnavailable } from './port.ts'

/** What the refused request was about. */
export type Right = 'append to streams' | 'read streams' | 'read $all'

/** The codes of gRPC: https://grpc.io/docs/guides/status-codes/ */
const unauthenticated = 16
const maxNodesAsked = 3
const probeMs = 1_000
const maxReason = 1_000
const failed = 'Failed to connect'

export class Troubles {
  #asked: { readonly at: number; readonly reason: Promise<string | null> } | null = null
  constructor(private readonly url: string) {}

  /**
   * Any client error that is not the log's own answer: the server is down, restarting, overloaded, or refuses the
   * settings.
   */
  async of(error: unknown, right: Right): Promise<unknown> {
    if (error instanceof StoreUnavailable || !(error instanceof Error)) return error
    const type = 'type' in error ? String(error.type) : ''
    if (['stream-deleted', 'invalid-argument'].includes(type)) return error
    if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return error
    const refused = type === 'access-denied' ? this.#denied(error, right) : await this.#tls(error)
    if (refused !== null) return new SettingRefused(refused, { cause: error })
    return new StoreUnavailable("EventStoreDB can't be reached just now", { cause: error })
  }

  #denied(error: Error, right: Right): string {
    const user = userOf(this.url)
    if (user === null) return 'EventStoreDB asks for a user and a password, and EVENTSTORE_URL has none'
    if ('code' in error && error.code === unauthenticated)
      return 'EventStoreDB refuses the credentials of EVENTSTORE_URL'
    // The right of $admins alone, unless the metadata of $all says otherwise (EventStoreDB 23.10, SystemSettings.cs).
    const remedy =
      right === 'read $all'
        ? `. An administrator gives it in the metadata of $all: ${JSON.stringify({ $acl: { $r: ['$admins', user] } })}`
        : ''
    return `The user ${user} of EVENTSTORE_URL lacks the right to ${right} in EventStoreDB${remedy}`
  }

  /** A sentence where the two sides don't agree on TLS or the certificate: then no try can succeed. */
  async #tls(error: Error): Promise<string | null> {
    const reason = reasonIn(error.message)
    if (isOfTls(reason)) return this.#sentence(reason)
    const mayBeTls = usesTls(this.url) ? isDiscovery(error) : isDiscovery(error) || reason === failed
    if (!mayBeTls) return null
    // At most one probe a second.
    if (this.#asked === null || performance.now() - this.#asked.at > probeMs)
      this.#asked = { at: performance.now(), reason: usesTls(this.url) ? this.#askNodes() : this.#tryTls() }
    return this.#asked.reason
  }

  #sentence(reason: string): string {
    return reason.includes('wrong version number')
      ? `EVENTSTORE_URL asks for TLS, and EventStoreDB answers without (${reason}). Trying again won't help: set tls=false, or TLS in EventStoreDB, and start again.`
      : `The certificate of EventStoreDB is not accepted (${reason}). Trying again won't help: name the certificate of its authority in EVENTSTORE_URL (tlsCAFile), and start again.`
  }

  /** The client (6.2.1) keeps for itself why the nodes told no leader (`discovery.js`). Each node alone says it. */
  async #askNodes(): Promise<string | null> {
    for (const node of hostsOf(this.url).slice(0, maxNodesAsked)) {
      const client = EventStoreDBClient.connectionString(ofNode(this.url, node))
      const stop = new AbortController()
      const reason = await Promise.race([firstError(client), later(probeMs, stop.signal)])
      stop.abort()
      void client.dispose()
      if (reason !== null && isOfTls(reason)) return this.#sentence(reason)
    }
    return null
  }

  /** The client only says that it failed to connect, where a server expects TLS. */
  async #tryTls(): Promise<string | null> {
    for (const { host, port } of hostsOf(this.url).slice(0, maxNodesAsked))
      if (await speaksTls(host, port))
        return "EventStoreDB asks for TLS, and EVENTSTORE_URL says tls=false (the client's reason: Failed to connect). Trying again won't help: set tls=true, and start again."
    return null
  }
}

const isDiscovery = ({ message }: Error) => message.startsWith('Failed to discover')

/** The messages of Node and OpenSSL: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const isOfTls = (reason: string) => /certificate|SSL routines|\bCRL\b/.test(reason)

/** Of `No connection established. Last error: Error: self-signed certificate. Resolution note: ` (grpc-js 1.14). */
function reasonIn(message: string): string {
  const [, rest = ''] = message.slice(0, maxReason).split('Last error: ')
  const [said = ''] = rest.split('Resolution note')
  // The rest is the time of the try, which would make each sentence another one.
  if (said.startsWith(failed)) return failed
  // OpenSSL: `<number>:error:<number>:SSL routines:<function>:<reason>:<file>:<line>:`.
  const [, ofSsl] = said.split('SSL routines:')
  if (ofSsl !== undefined) return `SSL routines: ${ofSsl.split(':')[1] ?? ''}`
  const reason = said.trim()
  return reason.slice(reason.startsWith('Error: ') ? 7 : 0, reason.endsWith('.') ? -1 : undefined)
}

async function firstError(client: EventStoreDBClient): Promise<string | null> {
  try {
    for await (const _ of client.readAll({ maxCount: 1 })) break
    return null
  } catch (error) {
    return error instanceof Error ? reasonIn(error.message) : null
  }
}

const later = (ms: number, signal: AbortSignal) =>
  new Promise<null>((resolve) => {
    const timer = setTimeout(() => resolve(null), ms)
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })

/** Sends nothing: only whether the handshake succeeds matters, with whatever certificate. */
function speaksTls(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, rejectUnauthorized: false, timeout: probeMs })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('secureConnect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}
