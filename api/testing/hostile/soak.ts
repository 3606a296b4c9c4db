/**
 * Part of `npm run soak`: all attacks at once on one server for `SOAK_MINUTES` (10), beside people who work. Prints its
 * seed and a line a minute, and ends with 1 when the server restarted, logged an error, failed a person, or did not
 * give back what it took. `SEED` sets the order of each attacker's attacks.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { ApiClient } from '../../http/client.ts'
import { seedOr } from '../../../domain/test/sample.ts'
import { Random } from '../fuzz/random.ts'
import { brand, owner } from '../server.ts'
import { quantileOf, shortTimeouts, startAttackedServer, startWatcher, type Measure } from './attacked-server.ts'
import { abort, flood, freshAddress, oneByteOver, stalledReader, unfinishedBody } from './attacks.ts'
import { targetsOf, type NamedTarget } from './targets.ts'

const minutes = Number(process.env['SOAK_MINUTES'] ?? 10)
const attackers = 12
const warmUpMs = Math.min(60_000, (minutes * 60_000) / 4)
const maxMoreMegabytes = 50
const maxMoreDescriptors = 10

const seed = seedOr(Math.floor(Date.now() / 1000))
console.log(`SEED=${seed}`)

const server = await startAttackedServer(
  { ...shortTimeouts, requestMs: 10_000, idleMs: 10_000 },
  { REQUESTS_PER_MINUTE: '6000' },
)
const person = await owner({ url: `http://localhost:${server.port}` })
const targets = await targetsOf(server, true)
const endsAt = performance.now() + minutes * 60_000
const isOver = () => performance.now() >= endsAt || server.exitCode() !== null

const attacks: readonly ((target: NamedTarget) => Promise<unknown>)[] = [
  (target) => unfinishedBody(target, freshAddress()),
  (target) => oneByteOver(target, freshAddress()),
  (target) => abort(target, freshAddress()),
  async (target) => {
    const socket = await stalledReader(target, freshAddress())
    await pause(2 * shortTimeouts.stallMs)
    socket.destroy()
  },
  (target) => flood(target, freshAddress(), 50),
]

let attacked = 0
async function attack(attacker: number): Promise<void> {
  const random = new Random(seed, attacker)
  while (!isOver()) {
    const target = random.pick(targets)
    const chosen = random.pick(target.bounds.body === 'none' ? attacks.slice(2) : attacks)
    await chosen(target).catch(() => undefined)
    attacked += 1
    await pause(20)
  }
}

let worked = 0
const refused: string[] = []
async function work(caller: ApiClient): Promise<void> {
  const { clientId, accountId } = await brand(caller)
  while (!isOver()) {
    try {
      const body = { socialAccountId: accountId, content: `Fresh ${worked}` }
      const { id } = await caller.callOrThrow('writePost', { params: { id: clientId }, body })
      await caller.callOrThrow('changePost', { params: { id }, body: { content: `Fresher ${worked}` } })
      await caller.callOrThrow('listPosts', { params: { id: clientId } })
      await caller.callOrThrow('deletePost', { params: { id } })
      worked += 1
    } catch (error) {
      if (!isOver()) refused.push(String(error).slice(0, 200))
    }
    await pause(500)
  }
}

const described = ({ memory, rss, descriptors }: Measure) =>
  `${memory} MB in use, ${rss} MB resident, ${descriptors} descriptors`
const watcher = await startWatcher(server, person.cookie)
await watcher.begin()
const running = [work(person), ...Array.from({ length: attackers }, (_, attacker) => attack(attacker))]
await pause(warmUpMs)
const early = await server.measure()
console.log(`After the warm-up: ${described(early)}`)
while (!isOver()) {
  await pause(Math.min(60_000, Math.max(0, endsAt - performance.now())))
  if (!isOver()) console.log(`${attacked} attacks, ${worked} rounds of work: ${described(await server.measure())}`)
}
await Promise.all(running)
const watched = await watcher.end()
await pause(12_000)
const late = await server.measure()
console.log(
  `At the end: ${described(late)}; ${attacked} attacks, ${worked} rounds of work; GET /api/clients p99 ${quantileOf(watched.times, 0.99)} ms, slowest ${quantileOf(watched.times, 1)} ms, of ${watched.times.length}`,
)

const faults = server
  .log()
  .split('\n')
  .filter((line) => line !== '' && !/^\{"level":(10|20|30|40),/.test(line))
const problems = [
  ...(server.exitCode() === null ? [] : ['the server ended']),
  ...(faults.length === 0 ? [] : [`the server logged: ${faults.join('\n').slice(0, 2_000)}`]),
  ...(watched.failed.length === 0
    ? []
    : [
        `${watched.failed.length} requests of a person failed: ${[...new Set(watched.failed.map(({ reason }) => reason))].join(', ')}`,
      ]),
  ...(refused.length === 0 ? [] : [`${refused.length} rounds of work failed, first: ${refused[0]}`]),
  ...(late.memory <= early.memory + maxMoreMegabytes
    ? []
    : [`memory grew by ${Math.round(late.memory - early.memory)} MB`]),
  ...(late.descriptors <= early.descriptors + maxMoreDescriptors
    ? []
    : [`${late.descriptors - early.descriptors} descriptors were not closed`]),
]
await watcher.stop()
await server.stop()
for (const problem of problems) console.error(`Fault: ${problem}`)
process.exit(problems.length === 0 ? 0 : 1)
