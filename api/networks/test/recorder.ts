/** For tests: a connector against the sandbox, with every recorded request. */
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import type { Instant } from '../../../domain/core/event.ts'
import type { Platform } from '../../../domain/core/values.ts'
import { MovableClock } from '../../core/clock.ts'
import type { Network, Profile } from '../port.ts'
import type { Recorded } from '../../sandbox/test/recording.ts'
import { allow, pkce, redirectUri, startSandbox, type SandboxServer } from '../../sandbox/test/helpers.ts'

/** A request's own fields; it includes the protocol's headers, but not those of HTTP. */
export interface Request {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly authorization: string | undefined
  readonly type: string | undefined
  readonly body: unknown
}

export class Recorder {
  readonly clock: MovableClock
  readonly network: Network
  readonly #sandbox: SandboxServer
  readonly #folder: string
  #taken = 0

  private constructor(platform: Platform, sandbox: SandboxServer, folder: string, clock: MovableClock) {
    this.network = sandbox.networks[platform]
    this.#sandbox = sandbox
    this.#folder = folder
    this.clock = clock
  }

  static async open(platform: Platform): Promise<Recorder> {
    const folder = await temporaryFolder('shapes')
    const clock = new MovableClock('2026-03-02T10:00:00.000Z')
    return new Recorder(platform, await startSandbox(folder, clock), folder, clock)
  }

  async close(): Promise<void> {
    await this.#sandbox.close()
    await removeFolder(this.#folder)
  }

  /** Connects, and drops the browser's requests from the recording. */
  async connect(...names: string[]) {
    const url = new URL(
      this.network.consentUrl({ state: 's', redirectUri, accountName: names[0] ?? '', codeChallenge: pkce.challenge }),
    )
    const consent = { code: await allow(url.href, names), redirectUri, codeVerifier: pkce.verifier }
    this.raw()
    const profiles = await this.network.exchange(consent)
    return { url, consent, profiles }
  }

  /** A connected profile, with an empty recording. */
  async ready(name = 'Acme'): Promise<{ readonly profile: Profile; readonly since: Instant }> {
    const {
      profiles: [profile],
    } = await this.connect(name)
    if (!profile) throw new Error('The consent covered no profile')
    this.raw()
    return { profile, since: this.clock.now() }
  }

  /** The requests since the last call. */
  raw(): readonly Recorded[] {
    const all = this.#sandbox.requests()
    const fresh = all.slice(this.#taken)
    this.#taken = all.length
    return fresh
  }
  take(): readonly Request[] {
    return this.raw().map(({ method, path, query, headers, body }) => ({
      method,
      path,
      query,
      authorization: headers['authorization'],
      type: headers['content-type'],
      body: nothingIn(body) ? null : body,
    }))
  }
}

/** Some parsers return an empty object for an empty body. */
const nothingIn = (body: unknown) =>
  body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0)
