/** What holds of every installation that an earlier build left, once this version has opened it. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import { expect, vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import * as audit from '../../bin/commands/audit.ts'
import * as projections from '../../bin/commands/projections.ts'
import { run } from '../../bin/test/run.ts'
import { ApiClient } from '../../http/client.ts'
import type { Earlier, Person } from './fixture.ts'

export async function signIn(url: string, earlier: Earlier, person: Person): Promise<ApiClient> {
  const client = new ApiClient(url)
  const { email, password } = earlier.people[person]
  await client.callOrThrow('login', { body: { email, password } })
  return client
}

/** The events of an exported file, without the numbers of its lines. */
const eventsIn = (file: string): unknown[] =>
  file
    .split('\n')
    .filter((line) => line.includes('"kind":"event"'))
    .map((line) => ({ ...JSON.parse(line), n: 0 }))

/** People, keys, images, removed data, idempotency, auditors' links and exports. */
export async function expectEverythingWorks(url: string, earlier: Earlier, folder: string): Promise<void> {
  const { cookies, clientIds, postIds, repeatable, auditorToken } = earlier.story
  const owner = await signIn(url, earlier, 'owner')
  expect(await owner.callOrThrow('getUser')).toMatchObject({ email: 'owner@example.com', firstName: 'Ada' })
  const wrong = new ApiClient(url)
  const body = { email: earlier.people.owner.email, password: 'another password' }
  expect((await wrong.ask('login', { body })).status).toBe(401)
  // A session of the earlier build goes on.
  wrong.cookie = cookies.owner
  expect((await wrong.ask('getUser')).status).toBe(200)

  const late = await signIn(url, earlier, 'late')
  expect(await late.callOrThrow('getPost', { params: { id: postIds['held'] ?? '' } })).toMatchObject({
    delivery: 'held',
    heldBecause: 'subscription-needed',
  })
  expect((await late.ask('getPost', { params: { id: postIds['draft'] ?? '' } })).status).toBe(404)
  for (const path of [`/api/clients/${clientIds.removed}`, `/api/posts/${postIds['deleted']}`])
    expect((await owner.get(path)).status).toBe(404)

  const revised = await owner.callOrThrow('getPost', { params: { id: postIds['revised'] ?? '' } })
  const hash = revised.imageUrl?.split('/').at(-1)
  const image = await fetch(`${url}/media/${hash}`)
  const bytes = Buffer.from(await image.arrayBuffer())
  expect([image.status, createHash('sha256').update(bytes).digest('hex')]).toEqual([200, hash])

  const repeated = await owner.fetch('POST', repeatable.path, repeatable.body, { 'Idempotency-Key': repeatable.key })
  expect([repeated.status, JSON.parse(repeated.text).id]).toEqual([201, repeatable.id])

  const auditor = new ApiClient(url)
  expect(await auditor.callOrThrow('openAuditorLink', { params: { token: auditorToken } })).toMatchObject({
    label: 'Yearly audit',
    agencyName: 'North Star',
  })
  // The earlier key still signs, and the export of now begins with the events of then.
  const jwks = await owner.get('/.well-known/jwks.json')
  expect(JSON.parse(jwks.text)).toEqual(earlier.jwks)
  const exported = (await owner.get('/api/audit/export')).text
  const earlierEvents = eventsIn(earlier.export)
  expect(earlierEvents.length).toBeGreaterThan(60)
  expect(eventsIn(exported)).toEqual(expect.arrayContaining(earlierEvents))
  for (const [name, text] of [
    ['earlier', earlier.export],
    ['now', exported],
  ] as const) {
    await writeFile(join(folder, `${name}.jsonl`), text)
    await writeFile(join(folder, 'jwks.json'), jwks.text)
    const args = ['verify', join(folder, `${name}.jsonl`), '--keys', join(folder, 'jwks.json')]
    expect(await run(audit, args, {})).toMatchObject({ code: 0, text: expect.stringContaining('is unchanged') })
  }
}

/** The outcomes that the earlier build left open come to an end, each post at most once on its network. */
export async function expectPublishingGoesOn(url: string, earlier: Earlier): Promise<void> {
  const owner = await signIn(url, earlier, 'owner')
  const post = (name: string) => owner.callOrThrow('getPost', { params: { id: earlier.story.postIds[name] ?? '' } })
  await vi.waitFor(
    async () => {
      for (const name of ['unknown', 'turnedDown'])
        expect([name, (await post(name)).status]).toEqual([name, 'published'])
      expect((await post('underWay')).delivery).toBe('unknown')
    },
    { ...patience, interval: 100 },
  )
  const histories = ['unknown', 'turnedDown'].map(async (name) => {
    const params = { id: earlier.story.postIds[name] ?? '' }
    const history = await owner.callOrThrow('getPostHistory', { params })
    return history.map(({ type }) => type).slice(-3)
  })
  expect(await Promise.all(histories)).toEqual([
    ['PostClaimed', 'PublishingOutcomeUnknown', 'PostPublished'],
    ['PublishingRejected', 'PostClaimed', 'PostPublished'],
  ])
}

/**
 * The chains of hashes and the checkpoints of version 1, and the read models against a log from which they are built
 * anew.
 */
export async function expectVerified(env: Readonly<Record<string, string>>, earlier: Earlier, folder: string) {
  const signed = await run(audit, ['verify'], env)
  expect(signed).toMatchObject({ code: 0, text: expect.stringContaining('The log still matches the newest hourly') })
  if (earlier.checkpoint !== undefined) {
    await writeFile(join(folder, 'checkpoint'), earlier.checkpoint)
    expect(await run(audit, ['verify', '--checkpoint', join(folder, 'checkpoint')], env)).toMatchObject({
      code: 0,
      text: expect.stringContaining('The log still matches the given checkpoint'),
    })
  }
  const verified = await run(projections, ['verify'], env)
  expect([verified.code, verified.all]).toEqual([0, expect.stringContaining('posts: matches the log')])
}
