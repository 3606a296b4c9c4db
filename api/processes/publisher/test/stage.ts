/**
 * Publishers in one world, two by default, replaced when they die, and a clock that advances only while all are idle.
 */
import { createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { sandboxNetworks } from '../../../sandbox/connectors.ts'
import type { Networks, Outcome } from '../../../networks/port.ts'
import { openWorld, type WorldOptions, type World } from '../../test/helpers.ts'
import type { PublisherConfig } from '../config.ts'
import { createPublisher, type Publisher } from '../publisher.ts'
import { Life, portsOf, type Beyond } from './life.ts'
import type { Step, Watcher } from './steps.ts'

const config: Partial<PublisherConfig> = { pollMs: 5, settleMs: 5, firstRetryMs: 1_000 }
/** Real time; no working step takes this long. */
const patienceMs = 20_000

interface Playing {
  readonly life: Life
  readonly publisher: Publisher
}

export class Stage implements Beyond {
  watchers: readonly Watcher[] = []
  /** Requests whose sender died, still in flight. */
  readonly late: { readonly since: string; readonly arrive: () => Promise<Outcome> }[] = []
  deaths = 0
  /** Look-ups made so far. */
  lookUps = 0
  #playing: Playing[] = []
  #ghosts: Promise<unknown>[] = []

  private constructor(
    readonly world: World,
    readonly networks: Networks,
    readonly nowhere: Networks,
    private readonly closeNowhere: () => void,
    private readonly publishers: number,
  ) {}

  static async open(beginning: WorldOptions = {}, publishers = 2): Promise<Stage> {
    const world = await openWorld(beginning)
    const hole = await openHole()
    const { clock } = world
    const at = (baseUrl: string) =>
      sandboxNetworks({
        baseUrl,
        publicBaseUrl: world.sandbox.url,
        startTimeout: world.sandbox.timeouts.start,
        clock,
        pauseMs: 5,
      })
    const stage = new Stage(world, at(world.sandbox.url), at(hole.url), hole.close, publishers)
    await stage.fill()
    return stage
  }

  strikes(step: Step): boolean {
    return this.watchers.some((watcher) => watcher.strikes(step))
  }
  sent(request: Promise<unknown>): void {
    this.#ghosts.push(request)
  }
  lookingUp(): void {
    this.lookUps += 1
  }
  delayed(request: () => Promise<Outcome>): void {
    this.late.push({ since: this.world.clock.now(), arrive: request })
  }

  /** Starts publishers to replace the dead ones. */
  async fill(): Promise<void> {
    while (this.#playing.length < this.publishers) {
      const life = new Life(this)
      const publisher = createPublisher({ ...(await portsOf(life)), config })
      this.#playing.push({ life, publisher })
      publisher.start()
    }
  }

  /** Waits until no living publisher has work in progress and every sent request has arrived. */
  async quiet(): Promise<void> {
    const since = performance.now()
    for (;;) {
      await Promise.all(this.#ghosts.splice(0))
      // Lets every settled promise run its callbacks.
      await pause(1)
      this.#bury()
      if (this.#ghosts.length === 0 && this.#playing.every(({ life }) => life.open === 0)) return
      if (performance.now() - since > patienceMs) throw new Error('A publisher is never idle')
    }
  }

  /** Advances the clock, and waits until each living publisher has polled at the new time and done its work. */
  async move(ms: number): Promise<void> {
    await this.quiet()
    this.world.clock.advance(ms)
    await this.look()
  }

  async look(): Promise<void> {
    const since = performance.now()
    const before = this.#playing.map(({ life }) => ({ life, ...life.looks }))
    const hasLooked = ({ life, due, unknown }: (typeof before)[number]) =>
      life.isDead || (life.looks.due > due && life.looks.unknown > unknown)
    while (!before.every(hasLooked)) {
      if (performance.now() - since > patienceMs) throw new Error('A publisher no longer looks')
      await pause(1)
    }
    await this.quiet()
  }

  /** Waits until the due posts are taken: advancing the clock before that would make them overdue. */
  async untilTaken(postIds: readonly string[]): Promise<void> {
    const since = performance.now()
    while (await this.#isAnyUnclaimed(postIds)) {
      if (performance.now() - since > patienceMs) throw new Error('A due post is not claimed')
      await this.fill()
      await pause(5)
    }
    await this.quiet()
  }

  async #isAnyUnclaimed(postIds: readonly string[]): Promise<boolean> {
    const { clock, commands } = this.world
    const now = clock.now()
    const posts = await Promise.all(postIds.map((postId) => this.world.post(postId)))
    // Posts behind a claim wait until its outcome is known, even if the claiming publisher has died.
    const taken = new Set(posts.filter(({ delivery }) => delivery === 'claimed').map(({ accountId }) => accountId))
    for (const { status, delivery, retryAt, scheduledFor, accountId, clientId } of posts) {
      if (taken.has(accountId)) continue
      const isWaiting =
        (status === 'scheduled' || status === 'approved') && (delivery === 'none' || delivery === 'rejected')
      if (!isWaiting || (retryAt ?? scheduledFor ?? '') > now) continue
      const { pausedUntil } = (await commands.loadClient(clientId)).state.accounts[accountId] ?? { pausedUntil: null }
      if ((pausedUntil ?? '') <= now) return true
    }
    return false
  }

  /** Stops the publishers as in a planned outage. */
  async leave(): Promise<void> {
    await Promise.all(this.#playing.map(({ publisher }) => publisher.stop()))
    this.#playing = []
  }

  async close(): Promise<void> {
    await this.leave()
    this.closeNowhere()
    await this.world.remove()
  }

  #bury(): void {
    const alive = this.#playing.filter(({ life }) => !life.isDead)
    this.deaths += this.#playing.length - alive.length
    this.#playing = alive
  }
}

/** A server that accepts requests and answers none. */
async function openHole(): Promise<{ readonly url: string; close(): void }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket
      .on('error', () => {})
      .on('close', () => sockets.delete(socket))
      .resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
