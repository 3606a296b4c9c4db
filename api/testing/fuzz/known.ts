/**
 * What there is to name in a request: the caller's own things as answers told of them, another agency's, and what
 * never was.
 */
import type { Operation } from './document.ts'
import type { Random } from './random.ts'

export type Kind = 'clients' | 'social-accounts' | 'posts' | 'schedules' | 'links' | 'generations'

/** What a field or a path's part names. */
const kinds: readonly (readonly [RegExp, Kind])[] = [
  [/account/i, 'social-accounts'],
  [/generation/i, 'generations'],
  [/schedule/i, 'schedules'],
  [/link/i, 'links'],
  [/client/i, 'clients'],
  [/post|^ids$|revisions/i, 'posts'],
]

/** Of a path like `/api/clients/{id}/posts`, what its ids are of. */
export const kindOfPath = (path: string): string => /([\w-]+)\/\{id\}/.exec(path)?.[1] ?? ''

const kindOf = (name: string): Kind | null => kinds.find(([pattern]) => pattern.test(name))?.[1] ?? null

const maxOfAKind = 60
const maxNamed = 6
const unknownId = '0195a000-0000-7000-8000-00000000dead'

/** Another agency's things. */
export type Foreign = Readonly<Partial<Record<Kind, string>>>

export class Known {
  readonly #ids = new Map<Kind, string[]>()
  readonly #named = new Map<string, string[]>()
  /** Whose client's a thing is. */
  readonly #parents = new Map<string, string>()
  readonly #tokens: string[] = []
  constructor(
    readonly email: string,
    readonly password: string,
    readonly imageUrl: string,
    readonly foreign: Foreign,
    readonly now: () => number,
  ) {}

  /** @param near what else the request is about: its own things are preferred */
  id(name: string, random: Random, near: string): string {
    const kind = kindOf(name)
    const all = kind === null ? [] : (this.#ids.get(kind) ?? [])
    const nearby = random.chance(0.9) ? all.filter((id) => this.#parents.get(id) === near) : []
    const own = nearby.length > 0 ? nearby : all
    const which = random.next()
    if (own.length > 0 && which < 0.86) return random.pick(own)
    if (which < 0.94) return (kind === null ? undefined : this.foreign[kind]) ?? unknownId
    const others = [...this.#ids.values()].flat()
    return others.length > 0 && which < 0.97 ? random.pick(others) : unknownId
  }

  /** Of an auditor's link. */
  token(random: Random): string {
    return this.#tokens.length > 0 && random.chance(0.7)
      ? random.pick(this.#tokens)
      : random.pick(['nobody', 'a.b.c', 'eyJhbGciOiJub25lIn0~e30~', 'x'.repeat(2_000)])
  }

  named(name: string, random: Random): string {
    const values = this.#named.get(name) ?? []
    const [newest] = values
    if (newest === undefined || random.chance(0.1)) return 'A'.repeat(22)
    return random.chance(0.7) ? newest : random.pick(values)
  }

  /** One of the things that said they can be so acted on. */
  able(act: string, random: Random): string | null {
    const ids = this.#named.get(`can ${act}`) ?? []
    return ids.length > 0 ? random.pick(ids) : null
  }

  learnName(name: string, value: string): void {
    const others = (this.#named.get(name) ?? []).filter((each) => each !== value)
    this.#named.set(name, [value, ...others].slice(0, maxNamed))
  }

  count(kind: Kind): number {
    return this.#ids.get(kind)?.length ?? 0
  }

  /** Notes the ids in an answer, and forgets what was just deleted. */
  learn({ method, path }: Operation, url: string, body: unknown): void {
    if (method === 'DELETE') {
      const gone = /[0-9a-f-]{36}/.exec(url)?.[0]
      for (const [kind, ids] of this.#ids)
        this.#ids.set(
          kind,
          ids.filter((id) => id !== gone && this.#parents.get(id) !== gone),
        )
      return
    }
    const topic = path.split('/').findLast((part) => /^[a-z-]+$/.test(part) && kindOf(part) !== null) ?? ''
    this.#collect(body, topic, 0)
  }

  /** What an answer tells in passing, outside of the run. */
  notice(body: unknown): void {
    this.#collect(body, '', 0)
  }

  #collect(value: unknown, name: string, depth: number): void {
    if (typeof value !== 'object' || value === null || depth > 4) return
    if ('clientId' in value && 'id' in value) this.#parents.set(String(value.id), String(value.clientId))
    if ('can' in value && Array.isArray(value.can) && 'id' in value)
      for (const act of value.can) this.learnName(`can ${String(act)}`, String(value.id))
    for (const [key, each] of Object.entries(value)) {
      if (typeof each === 'object') this.#collect(each, kindOf(key) === null ? name : key, depth + 1)
      else if (typeof each === 'string') this.#note(key === 'id' ? name : key, each)
    }
  }

  #note(name: string, text: string): void {
    if (name === 'next') this.learnName('cursor', text)
    const token = name === 'url' ? /\/audit\/([^/]+)$/.exec(text)?.[1] : undefined
    if (token !== undefined) this.#tokens.unshift(token)
    if (this.#tokens.length > 20) this.#tokens.pop()
    const kind =
      /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(text) && /id$|^[a-z-]+s$/i.test(name) ? kindOf(name) : null
    const ids = kind === null ? [] : (this.#ids.get(kind) ?? [])
    if (kind === null || ids.includes(text) || Object.values(this.foreign).includes(text)) return
    this.#ids.set(kind, [text, ...ids].slice(0, maxOfAKind))
  }
}
