import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JSONWebKeySet } from 'jose'
import { randoms } from '../../processes/test/randoms.ts'
import { owner, testServer, type TestServer } from '../../testing/server.ts'
import { agencyWithPast, bytesOf, texts, type Past } from './test/helpers.ts'
import type { Views } from '../../../projections/registry.ts'
import { exportLines } from './export.ts'
import { Signer } from './signing.ts'
import { verifyFile } from '../../operations/audit/verify-file.ts'

let server: TestServer
let past: Past
let jwks: JSONWebKeySet
let file: string

const exported = async (query: Readonly<Record<string, string>> = {}) =>
  (await past.caller.ask('exportAudit', { query })).text
const verdict = (text: string) => verifyFile(bytesOf(text), jwks)
const split = (text: string) => text.split(/(?<=\n)/)
interface Line {
  readonly kind: string
  readonly stream?: string
  readonly name?: string
  readonly data?: Readonly<Record<string, unknown>>
}
const parsed = (text: string) => split(text).map((line): Line => JSON.parse(line))

beforeAll(async () => {
  server = await testServer()
  past = await agencyWithPast(server)
  jwks = JSON.parse((await past.caller.get('/.well-known/jwks.json')).text)
  file = await exported()
})
afterAll(() => server.remove())

describe('An export', () => {
  it('has all events of the agency, deleted posts included, and verifies with the public key alone', async () => {
    const { problems, events, manifest } = await verdict(file)
    expect(problems).toEqual([])
    expect(manifest?.events).toBe(events)
    const names = parsed(file).flatMap(({ name }) => name ?? [])
    for (const name of [
      'AgencyOpened',
      'ClientAdded',
      'SocialAccountConnected',
      'PostWritten',
      'PostContentRevised',
      'PostApproved',
      'PostDeleted',
    ])
      expect(names).toContain(name)
    const contents = parsed(file).flatMap(({ name, data }) => (name === 'PostWritten' ? [data?.['content']] : []))
    expect(contents.toSorted()).toEqual(texts.toSorted())
  })

  it('has nothing of another agency', async () => {
    const stranger = await owner(server)
    const theirs = (await stranger.ask('exportAudit')).text
    expect(theirs).not.toContain(past.clientId)
    expect((await verdict(theirs)).problems).toEqual([])
  })

  it('can be filtered by client, time and post status, and still verifies', async () => {
    const ofClient = await exported({ client: past.clientId })
    expect(new Set(parsed(ofClient).flatMap(({ stream }) => stream?.split('-')[0] ?? []))).toEqual(
      new Set(['client', 'post']),
    )
    const deleted = await exported({ status: 'deleted' })
    expect(parsed(deleted).filter(({ kind }) => kind === 'stream')).toHaveLength(1)
    const at = parsed(file).find(({ name }) => name === 'PostContentRevised') as unknown as { metadata: { at: string } }
    const since = await exported({ from: at.metadata.at })
    const until = await exported({ to: at.metadata.at })
    expect(parsed(since).some(({ name }) => name === 'AgencyOpened')).toBe(false)
    expect(parsed(until).some(({ name }) => name === 'PostApproved')).toBe(false)
    for (const text of [ofClient, deleted, since, until]) expect((await verdict(text)).problems).toEqual([])
    expect(parsed(since).filter(({ kind }) => kind === 'event').length).toBeGreaterThan(3)
  })

  it('as CSV opens in a spreadsheet without running anything, and verifies as a whole', async () => {
    const csv = await exported({ format: 'csv' })
    expect(csv.split('\r\n')[0]).toBe('at,stream,revision,event,client,actor,actor id,data,hash,previous hash')
    expect((await verdict(csv)).problems).toEqual([])
    expect((await verdict(csv.replace('Zoë', 'Zoe'))).problems).toEqual([
      'The bytes of the file differ from the signed ones.',
    ])
    const { caller, clientId, accountId } = past
    await caller.callOrThrow('writePost', {
      params: { id: clientId },
      body: { socialAccountId: accountId, content: 'a;=1+1;b' },
    })
    const formula = await exported({ format: 'csv' })
    expect(formula).toContain(`""content"":""a;'=1+1;b""`)
    expect((await verdict(formula)).problems).toEqual([])
  })

  it("of another agency's client is refused, and a wrong time gets an explanation", async () => {
    const stranger = await owner(server)
    expect(await stranger.ask('exportAudit', { query: { client: past.clientId } })).toMatchObject({ status: 404 })
    expect(await past.caller.ask('exportAudit', { query: { from: 'yesterday' } })).toMatchObject({
      status: 400,
      text: 'From: Enter a date and time like 2025-01-05T15:00:00Z',
    })
  })
})

describe('Verifying an export finds', () => {
  const lines = () => split(file)
  const eventLines = () => lines().flatMap((line, at) => (line.includes('"kind":"event"') ? [at] : []))

  it('a changed event, and names it', async () => {
    const at = lines().findIndex((line) => line.includes('"name":"PostApproved"'))
    const tampered = lines().with(
      at,
      (lines()[at] ?? '').replace(
        /"actor":\{"type":"user","id":"[^"]+"/,
        '"actor":{"type":"user","id":"somebody-else"',
      ),
    )
    const { problems } = await verdict(tampered.join(''))
    expect(problems[0]).toMatch(new RegExp(`^Line ${at + 1}: PostApproved, event \\d+ of post-.*, was changed\\.$`))
  })

  it('a removed event, and names it, even when the lines are renumbered', async () => {
    const at = eventLines()[3] ?? 0
    const without = lines().toSpliced(at, 1)
    expect((await verdict(without.join(''))).problems[0]).toBe(`Line ${at + 1} is missing.`)
    const renumbered = without.map((line, index) => line.replace(/^\{"n":\d+/, `{"n":${index + 1}`))
    expect((await verdict(renumbered.join(''))).problems.join('\n')).toMatch(
      /(events? \d+ to \d+ of .* (is|are) missing|was inserted, or an earlier event was changed)/i,
    )
  })

  it('a stream whose end was removed, and names it', async () => {
    const last = lines().findIndex(
      (line, at) => line.includes('"kind":"event"') && !(lines()[at + 1] ?? '').includes('"kind":"event"'),
    )
    const renumbered = lines()
      .toSpliced(last, 1)
      .map((line, index) => line.replace(/^\{"n":\d+/, `{"n":${index + 1}`))
    expect((await verdict(renumbered.join(''))).problems[0]).toMatch(/^Events \d+ to \d+ of .* are missing\.$/)
  })

  it('an inserted event, swapped lines, a missing stream and a missing end', async () => {
    const [one = 0, two = 0] = eventLines().slice(4)
    const doubled = lines().toSpliced(one, 0, lines()[one] ?? '')
    const swapped = lines()
      .with(one, lines()[two] ?? '')
      .with(two, lines()[one] ?? '')
    const begins = lines().flatMap((line, at) => (line.includes('"kind":"stream"') ? [at] : []))
    const withoutStream = lines().toSpliced(begins[1] ?? 0, (begins[2] ?? 0) - (begins[1] ?? 0))
    for (const changed of [
      doubled,
      swapped,
      withoutStream,
      lines().slice(0, -1),
      lines().slice(1),
      [...lines(), '{"n":999,"kind":"event"}\n'],
    ]) {
      expect((await verdict(changed.join(''))).problems).not.toEqual([])
    }
    expect((await verdict(lines().slice(0, -1).join(''))).problems.at(-1)).toContain('its end is missing')
  })

  it("any changed byte, and names the event's line [S88]", { tags: 'long' }, async () => {
    const random = randoms(20_261_122)
    for (let round = 0; round < 300; round++) {
      const at = random.whole(0, lines().length - 1)
      const line = lines()[at] ?? ''
      const place = random.whole(0, line.length - 2)
      const letter = line[place] === 'x' ? 'y' : 'x'
      const changed = lines().with(at, line.slice(0, place) + letter + line.slice(place + 1))
      const { problems } = await verdict(changed.join(''))
      expect({ at, place, problems }).not.toEqual({ at, place, problems: [] })
      const isEvent = line.includes('"kind":"event"')
      const isInStream = problems.some(
        (problem) => problem.includes(`Line ${at + 1}`) || /missing|put where/.test(problem),
      )
      if (isEvent) expect({ problems, isInStream }).toMatchObject({ isInStream: true })
    }
  })

  it("an invalid byte sequence, and any change in the manifest's own line", async () => {
    const { caller, clientId, accountId } = past
    await caller.callOrThrow('writePost', {
      params: { id: clientId },
      body: { socialAccountId: accountId, content: 'A letter that was lost: \uFFFD' },
    })
    const bytes = Buffer.from(await exported())
    expect((await verifyFile(bytesOf(bytes), jwks)).problems).toEqual([])
    const at = bytes.indexOf(Buffer.from('\uFFFD'))
    const changed = Buffer.concat([bytes.subarray(0, at), Uint8Array.of(0xff), bytes.subarray(at + 3)])
    expect((await verifyFile(bytesOf(changed), jwks)).problems).toEqual([
      'The bytes of the file differ from the signed ones.',
    ])
    const added = file.replace('"kind":"manifest",', '"kind":"manifest","x":"evil",')
    expect((await verdict(added)).problems).toEqual([`Line ${lines().length}, the manifest, was changed.`])
  })

  it("a change of the manifest's number, of unused signature bits, and of spaces around the line", async () => {
    const last = lines().at(-1) ?? ''
    const n = lines().length
    const others = lines().slice(0, -1).join('')
    const signature = /"manifest":"([^"]+)"/.exec(last)?.[1] ?? ''
    const spare = String.fromCharCode((signature.at(-1) ?? '').charCodeAt(0) + 1)
    const changes = [
      ...[n + 1, n + 7, n - 1, 0, -1].map((other) => last.replace(`{"n":${n},`, `{"n":${other},`)),
      last.replace(signature, ` ${signature}`),
      last.replace(signature, `${signature} `),
      last.replace(signature, signature.replace('.', '. ')),
      last.replace(signature, signature.slice(0, 50) + ' ' + signature.slice(50)),
      last.replace(signature, signature.slice(0, -1) + spare),
      last.replace('\n', ' \n'),
      last.replace('\n', '\r\n'),
      ` ${last}`,
      `${last} `,
    ]
    for (const changed of changes)
      expect([changed, (await verdict(others + changed)).problems]).not.toEqual([changed, []])

    const csv = await exported({ format: 'csv' })
    const at = csv.lastIndexOf('#manifest,')
    for (const changed of [
      csv.replace('#manifest,', '#manifest, '),
      `${csv.slice(0, -2)} \r\n`,
      csv.slice(0, -2),
      `${csv.slice(0, at + 40)} ${csv.slice(at + 40)}`,
    ]) {
      expect([changed.slice(at), (await verdict(changed)).problems]).not.toEqual([changed.slice(at), []])
    }
  })

  it('a manifest signed with another key', { tags: 'long' }, async () => {
    const other = await testServer()
    const theirs = JSON.parse((await (await owner(other)).get('/.well-known/jwks.json')).text)
    await other.remove()
    const { problems } = await verifyFile(bytesOf(file), theirs)
    expect(problems).toEqual([
      'The manifest is not trustworthy. It is signed with a key that is not among the given public keys.',
    ])
  })
})

it('An export without matches lets other requests run in between [S76]', async () => {
  const listed = Array.from({ length: 64 }, (_, n) => ({
    id: `post-${String(n).padStart(2, '0')}`,
    kind: 'post',
    firstAt: '2000-01-01T00:00:00.000Z',
  }))
  const streams = {
    find: ({ where }: { readonly where: { readonly id: { readonly gte: string } } }) =>
      Promise.resolve(where.id.gte === '' ? listed : []),
  } as unknown as Views['streams']
  const { events } = server.commands.ports
  const signer = await Signer.open({ current: Buffer.alloc(32, 1), others: [] })
  let turns = 0
  let next = setImmediate(function again() {
    turns += 1
    next = setImmediate(again)
  })
  const filters = { clientId: null, from: '2999-01-01T00:00:00.000Z', to: null, status: null }
  const asked = {
    scope: { agencyId: 'one', clientId: null },
    filters,
    format: 'jsonl',
    at: server.clock.now(),
  } as const
  // Called after everything was read.
  const checkpoint = () => {
    expect(turns).toBeGreaterThanOrEqual(3)
    return Promise.resolve(null)
  }
  for await (const line of exportLines({ events, views: { streams }, signer, checkpoint }, asked))
    expect(line).not.toContain('"kind":"event"')
  clearImmediate(next)
  expect.assertions(3)
})
