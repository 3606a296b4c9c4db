/**
 * Attacks every route in the table of bounds: unfinished and oversized bodies, readers that stop reading, dropped
 * connections, and 200 requests at once from one address. The server runs in a process of its own. Without a
 * setting it takes one route of each kind, with `HOSTILE=all` (`npm run test:hostile`, CI) every one.
 *
 * @module-tag hostile
 */
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { owner } from '../testing/server.ts'
import {
  quantileOf,
  shortTimeouts,
  startAttackedServer,
  startWatcher,
  type AttackedServer,
  type Measure,
  type Watcher,
} from '../testing/hostile/attacked-server.ts'
import {
  abort,
  asksOfStalledReader,
  bytesUntilClosed,
  churn,
  flood,
  freshAddress,
  oneByteOver,
  stalledReader,
  unfinishedBody,
  type Outcome,
} from '../testing/hostile/attacks.ts'
import { targetsOf, type NamedTarget } from '../testing/hostile/targets.ts'

const isWhole = process.env['HOSTILE'] === 'all'
/** An attack on this many routes is watched, and repeated, by itself. */
const routesPerRound = 24
/** How many routes are attacked at the same time. */
const atOnce = { idle: routesPerRound, some: 5, busy: 1 } as const
/** Ten routes share a user, whose unfinished bodies may have 8 MB in all. */
const bodiesPerRoute = 5
/** Routes that answer 503: the attacked server takes no payments. */
const isTurnedOff = ({ name }: NamedTarget) => name.startsWith('POST /api/billing/')
const isOfSandbox = ({ bounds }: NamedTarget) => bounds.path.startsWith('/sandbox/')
/** The specified limits for a signed-in user's requests during an attack, in milliseconds. */
const maxP99Ms = 100
const maxSlowestMs = 500
const maxMoreMegabytes = 50
const maxMoreDescriptors = 10

/** A connection without a byte in either direction; Node closes one that is being written to after twice this time. */
const idleMs = 10_000
/** Of `big-abc.js` in `server.child.ts`. */
const assetBytes = 3 * 1024 * 1024

let server: AttackedServer
let watcher: Watcher
let targets: readonly NamedTarget[]
let quiet: Measure
beforeAll(async () => {
  // As in the soak: a request that waits too long is measured as slow, not disconnected by a short time-out.
  server = await startAttackedServer({ ...shortTimeouts, requestMs: 10_000, idleMs })
  const person = await owner({ url: `http://localhost:${server.port}` })
  watcher = await startWatcher(server, person.cookie)
  targets = await targetsOf(server, isWhole)
  quiet = await server.measure()
}, 300_000)
afterAll(async () => {
  await watcher.stop()
  await server.stop()
})

/** Attacks the targets, several at once, until one attack fails or the test's time is over. */
async function toEach(
  all: readonly NamedTarget[],
  load: keyof typeof atOnce,
  signal: AbortSignal,
  attack: (target: NamedTarget) => Promise<void>,
): Promise<void> {
  const waiting = [...all]
  const attackInTurn = async () => {
    for (let target = waiting.shift(); target && !signal.aborted; target = waiting.shift()) await attack(target)
  }
  await Promise.all(Array.from({ length: atOnce[load] }, attackInTurn)).finally(() => (waiting.length = 0))
}

interface Try {
  /** The first attacked route. */
  readonly from: string
  readonly p99: number
  readonly slowest: number
  readonly times: readonly number[]
}

/**
 * Attacks in rounds of some routes each, while a signed-in user works. Response times are checked in the complete walk
 * only, which has the machine to itself. Other load may still slow down a round, so that round is repeated, up to five
 * times in all; its best try counts.
 */
async function whileAPersonWorks(
  all: readonly NamedTarget[],
  signal: AbortSignal,
  attack: (some: readonly NamedTarget[]) => Promise<void>,
): Promise<void> {
  const rounds = Array.from({ length: Math.ceil(all.length / routesPerRound) }, (_, index) =>
    all.slice(index * routesPerRound, (index + 1) * routesPerRound),
  )
  const tries: Try[] = []
  const best: Try[] = []
  for (const round of rounds) {
    const own: Try[] = []
    while (own.length < (isWhole ? 5 : 1) && !own.some(isGood) && !signal.aborted) own.push(await tryOf(round, attack))
    tries.push(...own)
    best.push(...own.toSorted((a, b) => a.p99 - b.p99 || a.slowest - b.slowest).slice(0, 1))
  }
  const times = best.flatMap((one) => one.times)
  const described = tries.map(({ from, p99, slowest }) => `${from}: p99 ${p99} ms, slowest ${slowest} ms`).join('\n')
  if (isWhole) expect(isGood({ p99: quantileOf(times, 0.99), slowest: quantileOf(times, 1) }), described).toBe(true)
  const settled = { timeout: 20_000, interval: 500 }
  await expect
    .poll(async () => (await server.measure()).memory, settled)
    .toBeLessThanOrEqual(quiet.memory + maxMoreMegabytes)
  await expect
    .poll(async () => (await server.measure()).descriptors, settled)
    .toBeLessThanOrEqual(quiet.descriptors + maxMoreDescriptors)
  expect(server.exitCode()).toBeNull()
  expect(faultsIn(server.log())).toEqual([])
}

const isGood = ({ p99, slowest }: Omit<Try, 'from' | 'times'>) => p99 <= maxP99Ms && slowest <= maxSlowestMs

async function tryOf(
  round: readonly NamedTarget[],
  attack: (some: readonly NamedTarget[]) => Promise<void>,
): Promise<Try> {
  await watcher.begin()
  await attack(round)
  const { times, failed } = await watcher.end()
  expect(failed).toEqual([])
  return {
    from: round[0]?.name ?? '',
    p99: quantileOf(times, 0.99),
    slowest: quantileOf(times, 1),
    times,
  }
}

/** Error lines of the log, and lines outside the log format, such as a stack trace or a warning of Node. */
const faultsIn = (log: string) =>
  log.split('\n').filter((line) => line !== '' && !/^\{"level":(10|20|30|40),/.test(line))

const isAnswer = (outcome: Outcome) =>
  outcome === null || (outcome < 500 && outcome >= 200) || outcome === 502 || outcome === 503
/**
 * Before the body is read: by the caller, or by the announced size. Facebook and LinkedIn answer 400 where a token or a
 * version is missing.
 */
const isRefusal = ({ bounds }: NamedTarget, outcome: Outcome) =>
  [401, 403, 404, 413].includes(outcome ?? 0) || (outcome === 400 && bounds.caller === 'key of a profile')
const withBody = () => targets.filter(({ bounds }) => bounds.body !== 'none')

describe('Every route, under attack while a user works,', { timeout: 600_000 }, () => {
  it('abandons bodies that are never finished [S23]', async ({ signal }) => {
    await whileAPersonWorks(withBody(), signal, (some) =>
      toEach(some, 'idle', signal, async (target) => {
        const all = await Promise.all(
          Array.from({ length: bodiesPerRoute }, () => unfinishedBody(target, freshAddress())),
        )
        // Some wait until the route's time is over. Routes of the sandbox refuse first: the attacks have no keys there.
        const isRefused =
          isTurnedOff(target) || (isOfSandbox(target) && all.every((outcome) => isRefusal(target, outcome)))
        expect(`${target.name} ${all.join()}: ${isRefused || all.includes(408) || all.includes(null)}`).toBe(
          `${target.name} ${all.join()}: true`,
        )
        for (const outcome of new Set(all))
          expect(`${target.name} ${outcome}: ${outcome !== 200 && outcome !== 201 && isAnswer(outcome)}`).toBe(
            `${target.name} ${outcome}: true`,
          )
      }),
    )
  })

  it('refuses a body that is one byte too large, with or without a Content-Length [S24]', async ({ signal }) => {
    await whileAPersonWorks(withBody(), signal, (some) =>
      toEach(some, 'busy', signal, async (target) => {
        // The connection of a body that is still sent can be reset before the answer is read. A file can be invalid at
        // once.
        const isAccepted = (outcome: Outcome) =>
          [413, null].includes(outcome) ||
          (target.bounds.body === 'file' && outcome === 400) ||
          (isTurnedOff(target) && outcome === 503) ||
          (isOfSandbox(target) && isRefusal(target, outcome))
        for (const outcome of await oneByteOver(target, freshAddress()))
          expect(`${target.name} ${outcome}: ${isAccepted(outcome)}`).toBe(`${target.name} ${outcome}: true`)
      }),
    )
  })

  it('serves others while readers stop reading, and disconnects those of shared files', async ({ signal }) => {
    // Shared bytes: a stalled reader costs a socket, until the idle time-out. Other routes are attacked meanwhile.
    const isShared = ({ bounds }: NamedTarget) => bounds.answer === 'bytes, shared'
    const sharedFirst = targets.toSorted((a, b) => Number(isShared(b)) - Number(isShared(a)))
    const sharing: Socket[] = []
    let sharingSince = 0
    const answeringMs = shortTimeouts.stallMs * 1.3
    const sharingReadersEnd = async () => {
      await pause(Math.max(0, sharingSince + 2 * idleMs + answeringMs - performance.now()))
      for (const bytes of await Promise.all(sharing.splice(0).map((socket) => bytesUntilClosed(socket, idleMs / 2)))) {
        expect(bytes).not.toBeNull()
        expect(bytes).toBeLessThan(asksOfStalledReader * assetBytes)
      }
    }
    const ending: Socket[] = []
    try {
      await whileAPersonWorks(sharedFirst, signal, async (some) => {
        await toEach(some, 'some', signal, async (target) => {
          const sockets = await Promise.all(Array.from({ length: 10 }, () => stalledReader(target, freshAddress())))
          ending.push(...sockets)
          if (isShared(target)) {
            sharing.push(...sockets)
            sharingSince = performance.now()
          }
          // Spreads out the requests: another test sends them at once.
          await pause(shortTimeouts.stallMs / 3)
        })
        await pause(answeringMs)
        // The answers of other routes fit into the kernel's buffers, so the server has sent them.
        for (const socket of ending.splice(0)) if (!sharing.includes(socket)) socket.destroy()
        if (some.at(-1) === sharedFirst.at(-1)) await sharingReadersEnd()
      })
    } finally {
      for (const socket of [...ending, ...sharing]) socket.destroy()
    }
  })

  it('forgets dropped connections', async ({ signal }) => {
    await whileAPersonWorks(targets, signal, (some) =>
      toEach(some, 'busy', signal, async (target) => {
        await Promise.all(Array.from({ length: 20 }, () => abort(target, freshAddress())))
      }),
    )
  })

  it('serves others while one address opens and resets connections [S28]', async ({ signal }) => {
    const assets = targets.filter(({ bounds }) => bounds.answer === 'bytes, shared')
    expect(assets).toHaveLength(1)
    await whileAPersonWorks(assets, signal, async ([asset]) => {
      if (asset) await churn(asset, freshAddress(), 40, 4_000)
    })
  })

  it('answers 200 requests at once from one address', async ({ signal }) => {
    const asked = targets.filter(({ bounds }) => bounds.answer !== 'live updates')
    await whileAPersonWorks(asked, signal, (some) =>
      toEach(some, 'busy', signal, async (target) => {
        const all = await flood(target, freshAddress())
        for (const outcome of new Set(all))
          expect(`${target.name} ${outcome}: ${outcome !== null && isAnswer(outcome)}`).toBe(
            `${target.name} ${outcome}: true`,
          )
        const isServed = isTurnedOff(target) || all.some((outcome) => outcome !== 503)
        expect(`${target.name}: ${isServed}`).toBe(`${target.name}: true`)
      }),
    )
  })
})
