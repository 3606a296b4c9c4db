/**
 * Signing in under attack, on the built server in a process of its own (`npm run build` first): whether the time
 * tells who
 * has an account, and what a flood of attempts costs everybody else. Load goes to this machine alone.
 */
import { removeFolder, temporaryFolder } from '../domain/test/folder.ts'
import { freePort } from '../domain/test/free-port.ts'
import { startProcess } from '../e2e/process.ts'
import { busyAgency } from './agency.ts'
import { addressOf, ask, openLoop, rest, type Answer } from './flood.ts'
import { grouped, ms, percentile, print } from './report.ts'

const attempts = 500
const ofEachAccount = 10
const perSecond = 200
const seconds = 30
const quietSeconds = 10
/** Between two requests of a reader, as people have it. */
const thinkMs = 20
const password = 'correct horse'
const emailOf = (one: number) => `somebody-${one}@example.com`

export async function signIn(): Promise<void> {
  const folder = await temporaryFolder('socialai-bench')
  const server = startProcess(await freePort(), folder, { TRUST_PROXY: 'true' })
  await server.ready
  const { caller } = await busyAgency(server.url)
  let address = 0
  const elsewhere = () => addressOf((address += 1))
  const login = (email: string, from: string, attempt: string, cookie = '') =>
    ask(server.url, '/api/auth/login', { address: from, body: { email, password: attempt }, cookie })
  for (let one = 0; one < attempts / ofEachAccount; one++)
    await ask(server.url, '/api/auth/register', { address: elsewhere(), body: { email: emailOf(one), password } })

  const account = (attempt: number) => emailOf(Math.floor(attempt / ofEachAccount))
  tellTiming(
    'Signing in with a wrong password',
    await compared(
      attempts,
      (attempt) => login(account(attempt), elsewhere(), 'a guess'),
      (attempt) => login(`no-${account(attempt)}`, elsewhere(), 'a guess'),
    ),
  )
  const forgot = (email: string) => ask(server.url, '/api/auth/forgot', { address: elsewhere(), body: { email } })
  tellTiming(
    'Asking for a link to set a new password',
    await compared(
      150,
      (attempt) => forgot(emailOf(attempt % 50)),
      (attempt) => forgot(`no-${emailOf(attempt % 50)}`),
    ),
  )

  const victim = emailOf(0)
  const { cookie: known } = await login(emailOf(1), elsewhere(), password)
  const read = () => ask(server.url, '/api/clients', { address: addressOf(1), cookie: caller.cookie })
  for (const addresses of [20, perSecond * seconds]) {
    const quiet = await samples(read, quietSeconds)
    const counts = new Map<number, number>()
    const strangers = new People()
    const owners = new People()
    address += addresses
    const base = address
    const flooding = openLoop(perSecond, seconds, async (index) => {
      // Half of them try one account, the others as many as there may be.
      const { status } = await login(
        index % 2 === 0 ? victim : `no-${emailOf(index)}`,
        addressOf(base - (index % addresses)),
        'a guess',
      )
      counts.set(status, (counts.get(status) ?? 0) + 1)
    })
    const end = performance.now() + seconds * 1000
    const isOver = () => performance.now() > end
    const come = async (people: People, one: (index: number) => Promise<Answer>) => {
      for (let index = 0; !isOver(); index++, await rest(1_000)) await people.tries(() => one(index), isOver)
    }
    const coming = [
      come(strangers, (index) => login(emailOf(10 + index), elsewhere(), password)),
      come(owners, () => login(emailOf(1), elsewhere(), password, known)),
    ]
    const busy = await samples(read, seconds)
    await Promise.all([flooding, ...coming])
    const output = [...counts]
      .sort(([one], [other]) => one - other)
      .map(([status, count]) => `${status}: ${grouped(count)}`)
    print(`${perSecond} sign-ins a second for ${seconds} s from ${grouped(addresses)} addresses`, [
      {
        what: 'reference: GET /api/clients before',
        figure: `p50 ${ms(percentile(quiet, 0.5))}, p99 ${ms(percentile(quiet, 0.99))}`,
      },
      {
        what: 'GET /api/clients meanwhile',
        figure: `p50 ${ms(percentile(busy, 0.5))}, p99 ${ms(percentile(busy, 0.99))} (wanted: 150 ms at most), longest ${ms(Math.max(...busy))}`,
      },
      { what: 'answers to the attackers', figure: output.join(', ') },
      { what: 'sign-in from a new browser takes', figure: strangers.run() },
      { what: 'sign-in from a known browser takes', figure: owners.run() },
    ])
    await rest(1_000)
  }
  await server.stop()
  await removeFolder(folder)
}

/** By turns, so that what else the machine does weighs on both alike; which of both is first is drawn. */
async function compared(
  rounds: number,
  known: (round: number) => Promise<Answer>,
  unknown: (round: number) => Promise<Answer>,
) {
  const took = { known: [] as number[], unknown: [] as number[] }
  for (let round = -20; round < rounds; round++) {
    const both = [
      ['known', known],
      ['unknown', unknown],
    ] as const
    for (const [name, asked] of Math.random() < 0.5 ? both : [...both].reverse()) {
      const { status, tookMs } = await asked(Math.abs(round))
      if (status !== 401 && status !== 204) throw new Error(`A sign-in attempt got ${status}`)
      if (round >= 0) took[name].push(tookMs)
    }
  }
  return took
}

function tellTiming(
  title: string,
  { known, unknown }: { readonly known: readonly number[]; readonly unknown: readonly number[] },
): void {
  const figures = (took: readonly number[]) => `p50 ${ms(percentile(took, 0.5))}, p95 ${ms(percentile(took, 0.95))}`
  const difference = percentile(known, 0.5) - percentile(unknown, 0.5)
  print(`${title}, ${known.length} each`, [
    { what: 'an address that has an account', figure: figures(known) },
    { what: 'one that has none', figure: figures(unknown) },
    { what: 'difference of the medians', figure: `${difference < 0 ? '-' : ''}${ms(Math.abs(difference))}` },
  ])
}

async function samples(read: () => Promise<Answer>, forSeconds: number): Promise<number[]> {
  const took: number[] = []
  for (const end = performance.now() + forSeconds * 1000; performance.now() < end; await rest(thinkMs)) {
    const { status, tookMs } = await read()
    if (status !== 200) throw new Error(`A list got ${status}`)
    took.push(tookMs)
  }
  return took
}

/** People with the right password, who come back when they are told to. */
class People {
  readonly #took: number[] = []
  #attempts = 0
  #left = 0

  async tries(login: () => Promise<Answer>, isOver: () => boolean): Promise<void> {
    for (const began = performance.now(); ;) {
      const { status, retryAfter } = await login()
      this.#attempts += 1
      if (status === 200) return void this.#took.push(performance.now() - began)
      if (isOver()) return void (this.#left += 1)
      await rest(retryAfter * 1000)
    }
  }

  run(): string {
    const [inside, all] = [this.#took.length, this.#took.length + this.#left]
    return `p50 ${ms(percentile(this.#took, 0.5))}, at most ${ms(Math.max(...this.#took))}: ${inside} of ${all}, with ${this.#attempts} attempts`
  }
}
