/** Request after request, as different people, with every answer judged. */
import type { LyingProvider } from '../../features/auth/oidc/test/lying-provider.ts'
import { ApiClient } from '../../http/client.ts'
import { signedUp, type TestServer } from '../server.ts'
import { readOperations, type Operation } from './document.ts'
import { ceremonies, type Prepared } from './ceremonies.ts'
import { Judge } from './judge.ts'
import type { Foreign } from './known.ts'
import { askForLetter, openChoice, settled, type Person } from './people.ts'
import { Random } from './random.ts'
import { requestFor, type Request } from './requests.ts'
import { Sender, type Answered, type Outgoing } from './send.ts'

export interface Failure {
  readonly number: number
  readonly problem: string
  /** The request, to be sent again by hand. */
  readonly line: string
}

export interface Outcome {
  readonly operations: readonly Operation[]
  readonly failures: readonly Failure[]
  /** By operation: how often each status came. */
  readonly statuses: ReadonlyMap<string, ReadonlyMap<number, number>>
}

export interface Plan {
  readonly seed: number
  readonly requests: number
  /** Only this one, after the beginnings. */
  readonly only: number | null
  /** The data of an agency that no caller here may see, and a word that all of its texts contain. */
  readonly foreign: Foreign
  readonly secret: string
  readonly ended: ApiClient
  /** The provider of single sign-on. */
  readonly signOn: LyingProvider
}

/** Each route in turn: several accepted requests, and one without a session. */
const tours = 3
const plainTries = 12
const requestsALife = 1_500
const maxFailures = 30
const maxCompared = 90

type Role = 'owner' | 'nobody' | 'forger' | 'newcomer' | 'ended'

export async function fuzz(
  server: TestServer,
  { seed, requests, only, foreign, secret, ended, signOn }: Plan,
): Promise<Outcome> {
  const operations = await readOperations(server.url)
  const sender = new Sender(server.url)
  const judge = new Judge()
  const statuses = new Map<string, Map<number, number>>()
  const failures: Failure[] = []
  let me = await begin()

  /** What is there to begin with is learned as everything is: from answers. */
  async function begin(): Promise<Person> {
    const person = await settled(server, foreign)
    const read = async (path: string, at: string) => {
      const operation = operations.find((each) => each.path === path && each.method === 'GET')
      const { text } = await person.caller.get(at)
      if (operation) person.known.learn(operation, at, JSON.parse(text))
      return JSON.parse(text) as readonly { readonly id: string }[]
    }
    for (const { id } of await read('/api/clients', '/api/clients')) {
      for (const part of ['posts', 'social-accounts', 'schedules'])
        await read(`/api/clients/{id}/${part}`, `/api/clients/${id}/${part}`)
    }
    return person
  }

  async function cookieOf(role: Role): Promise<string> {
    if (role === 'owner') return me.caller.cookie
    if (role === 'forger') return 'socialai=Fe26.2*1*0*0*0*0*0*0; socialai=x; =; \u00ff'
    if (role === 'ended') return ended.cookie
    return role === 'newcomer' ? (await signedUp(server)).cookie : ''
  }

  async function signInAgain(): Promise<void> {
    const body = { email: me.email, password: me.known.password }
    if ((await me.caller.ask('login', { body })).status !== 200) me = await begin()
    else await openChoice(me)
  }

  const weighted = operations.flatMap((operation) => Array<Operation>(weightOf(operation)).fill(operation))

  async function one(number: number): Promise<void> {
    const isTour = Math.floor(number / operations.length) < tours
    const next = operations[number % operations.length]
    if (isTour && next && takesLetter(next)) await askForLetter(server, next.path, me)
    const prepare = number < operations.length ? ceremonies[next?.operationId ?? ''] : undefined
    if (prepare && next)
      for (const each of [await prepare(server, me, signOn)].flat()) await prepared(number, next, each)
    // What a plain request needs may not be there: then another may find it.
    for (let attempt = 0; attempt < (isTour ? plainTries : 1); attempt++)
      if ((await attempted(number, new Random(seed + 7_919 * attempt, number))) < 400) return
  }

  /** Sends what only a ceremony makes. */
  async function prepared(number: number, operation: Operation, { cookie, params = {}, query = {}, body }: Prepared) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
    const search = new URLSearchParams(query).toString()
    const url = search === '' ? path : `${path}?${search}`
    const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body))
    // An address of its own: strangers' attempts are counted by address.
    const from = { 'X-Forwarded-For': '203.0.113.7' }
    const headers: Record<string, string> = {
      ...from,
      Cookie: cookie,
      ...(bytes ? { 'Content-Type': 'application/json' } : {}),
    }
    const sent = { method: operation.method, url, headers, bytes }
    const answer = await sender.send(sent)
    const problem = await wrongWith({ ...sent, operation }, sent, answer)
    if (problem !== null) note(number, `${operation.method} ${operation.path} as prepared: ${problem}`, sent)
    count(operation, answer.status)
  }

  function count({ operationId }: Operation, status: number): void {
    const counts = statuses.get(operationId) ?? new Map<number, number>()
    statuses.set(operationId, counts.set(status, (counts.get(status) ?? 0) + 1))
  }

  /** The status that came back; 0 for none. */
  async function attempted(number: number, random: Random): Promise<number> {
    const tour = Math.floor(number / operations.length)
    const isPlain = tour < tours
    const operation = (tour <= tours ? operations[number % operations.length] : undefined) ?? random.pick(weighted)
    const role = tour === tours ? 'nobody' : roleFor(operation, random, isPlain)
    const request = requestFor(operation, random, me.known, isPlain)
    const cookie = await cookieOf(role)
    const fromElsewhere = tour === tours && operation.security.length === 0 ? { 'Sec-Fetch-Site': 'cross-site' } : {}
    const sent: Outgoing = {
      ...request,
      headers: { ...request.headers, ...fromElsewhere, ...(cookie === '' ? {} : { Cookie: cookie }) },
    }
    const isEndless = Object.keys(operation.responses['200']?.content ?? {}).join() === 'text/event-stream'
    const answer = await sender.send(sent, isEndless).catch((error: unknown) => String(error))
    const problem = typeof answer === 'string' ? answer : await wrongWith(request, sent, answer)
    if (problem !== null) note(number, `${operation.method} ${operation.path} as ${role}: ${problem}`, sent)
    if (typeof answer === 'string') return 0
    count(operation, answer.status)
    if (role !== 'owner') return answer.status
    if (answer.status === 401 || operation.responses['302'] !== undefined) await mayHaveEnded(operation, answer)
    else if (answer.status < 300) learn(request, answer)
    return answer.status
  }

  async function wrongWith(request: Request, sent: Outgoing, answer: Answered): Promise<string | null> {
    // By its type it is told why: what changed nothing can be asked again.
    const asked =
      answer.status === 503
        ? await sender.send({ ...sent, headers: { ...sent.headers, Accept: 'application/problem+json' } })
        : answer
    return judge.problemWith(request.operation, sent, asked) ?? leak(request, answer)
  }

  /** One of a kind is enough to be told. */
  function note(number: number, problem: string, sent: Outgoing): void {
    if (failures.some((known) => known.problem.slice(0, maxCompared) === problem.slice(0, maxCompared))) return
    failures.push({ number, problem, line: lineOf(sent) })
  }

  function leak({ bytes, url }: Request, { text }: Answered): string | null {
    if (text.includes(secret)) return "another agency's texts"
    const asked = url + (bytes?.toString('utf8') ?? '')
    if (Object.values(foreign).some((id) => text.includes(id) && !asked.includes(id))) return "another agency's ids"
    return 'polluted' in {} ? 'a polluted prototype' : null
  }

  function learn({ operation, url }: Request, { text, headers }: Answered): void {
    if (operation.method === 'DELETE') return me.known.learn(operation, url, null)
    if (String(headers['content-type']).startsWith('application/json') && text.length < 500_000 && text !== '')
      me.known.learn(operation, url, JSON.parse(text))
  }

  /** A way out of the session was taken, or found taken: it's not the end of the run. */
  async function mayHaveEnded(operation: Operation, { status }: Answered): Promise<void> {
    const isOut = status === 401 ? operation.security.length > 0 : status === 302
    if (isOut && (await me.caller.ask('getUser')).status === 401) await signInAgain()
  }

  const isBare = () =>
    me.known.count('clients') < 1 || me.known.count('posts') < 3 || me.known.count('social-accounts') < 1
  for (const number of only === null ? Array.from({ length: requests }, (_, index) => index) : [only]) {
    if (number % requestsALife === requestsALife - 1 || isBare()) me = await begin()
    await one(number)
    if (failures.length >= maxFailures) break
  }
  sender.close()
  return { operations, failures, statuses }
}

/** Hashing a password takes longer than all else, and what is taken away has to be made again. */
const weightOf = ({ method, path }: Operation): number =>
  /login|register|password|reset/.test(path) ? 1 : method === 'DELETE' ? 2 : method === 'GET' ? 4 : 8

function roleFor({ method, path }: Operation, random: Random, isTour: boolean): Role {
  if (path === '/api/agency' && method === 'POST' && (isTour || random.chance(0.4))) return 'newcomer'
  if (isTour) return 'owner'
  const which = random.next()
  return which < 0.9
    ? 'owner'
    : which < 0.93
      ? 'nobody'
      : which < 0.95
        ? 'forger'
        : which < 0.955
          ? 'newcomer'
          : 'ended'
}

const takesLetter = ({ requestBody }: Operation): boolean =>
  requestBody?.content['application/json']?.schema?.properties?.['token'] !== undefined

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
const maxShown = 1_500

function lineOf({ method, url, headers, bytes }: Outgoing): string {
  const shown = Object.entries(headers).map(
    ([name, value]) => `-H ${quote(`${name}: ${name === 'Cookie' ? '…' : value}`)}`,
  )
  const text = bytes?.toString('utf8') ?? ''
  const isText = bytes !== null && Buffer.from(text).equals(bytes)
  const body =
    bytes === null
      ? ''
      : isText
        ? ` --data-binary ${quote(text.slice(0, maxShown))}`
        : ` --data-binary @<(echo ${bytes.toString('base64').slice(0, maxShown)} | base64 -d)`
  return `curl -X ${method} ${quote(url)} ${shown.join(' ')}${body}`
}
