/**
 * Simulates the demo agency's weeks: writes, reviews and schedules posts, and lets the real publisher and collector
 * work.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Temporal } from 'temporal-polyfill'
import { ApiClient, connect } from '../../http/client.ts'
import { later, type MovableClock } from '../../core/clock.ts'
import type { Platform } from '../../contract/index.ts'
import type { Running } from '../../composition/embedded.ts'
import { accepted } from '../../http/handler.ts'
import { wallClock, zonedNow } from '../../core/time-zone.ts'
import { brands, type DemoBrand } from './brands.ts'

interface Filling {
  readonly caller: ApiClient
  readonly signIn: { readonly email: string; readonly password: string }
  readonly running: Running
  readonly clock: MovableClock
  /** The number of days from the clock's time to real time. */
  readonly days: number
  /** The folder with the demo's images. */
  readonly images: string
}

interface Ready {
  readonly brand: DemoBrand
  readonly clientId: string
  readonly accounts: readonly { readonly id: string; readonly platform: Platform }[]
  /** The address of the uploaded image. */
  readonly imageUrl: string
}

const dayMs = 24 * 3_600_000
const times = ['08:30', '09:00', '12:00', '15:30', '17:00', '18:15'] as const
const longestWaitMs = 60_000

export async function fillAgency(filling: Filling) {
  const { caller, running, clock, days } = filling
  await subscribe(filling)
  const ready: Ready[] = []
  for (const brand of brands) ready.push(await addBrand(caller, brand, filling.images))

  const today = zonedNow(later(clock.now(), days * dayMs), zoneOf()).toPlainDate()
  let written = 0
  for (let back = days - 1; back >= 1; back--) {
    // A session lasts fourteen days, and the simulated days pass quickly.
    if (back % 7 === 0) await caller.callOrThrow('login', { body: filling.signIn })
    const date = today.subtract({ days: back })
    for (const [index, one] of ready.entries()) {
      if ((back + index * 2) % 3 !== 0) continue
      await plan(filling, one, date, written++, 'scheduled')
    }
    await liveUntil(later(clock.now(), dayMs), filling)
  }
  await liveUntil(new Date().toISOString(), filling)

  for (let ahead = 1; ahead <= 18; ahead++) {
    const date = today.add({ days: ahead })
    for (const [index, one] of ready.entries()) {
      if ((ahead + index * 2) % 4 !== 0) continue
      const become = (
        ['scheduled', 'approved', 'pending', 'scheduled', 'draft', 'approved', 'rejected', 'pending'] as const
      )[written % 8]
      await plan(filling, one, date, written++, become ?? 'draft')
    }
  }
  await holdOne(filling, ready)
  const posts = await running.views.posts.all({})
  return {
    clients: ready.length,
    posts: posts.length,
    published: posts.filter(({ status }) => status === 'published').length,
  }
}

const zoneOf = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Subscribes the agency, because the demo would otherwise end with its trial. */
async function subscribe({ caller, running }: Filling): Promise<void> {
  const { id } = await caller.callOrThrow('getAgency')
  const by = { actor: { type: 'process', id: 'demo' }, agencyId: id, correlationId: 'demo' } as const
  const command = {
    type: 'RecordSubscription',
    heard: 'told',
    subscriptionId: 'demo',
    customerId: 'demo',
    status: 'active',
    currentPeriodEnd: null,
    endsWithPeriod: false,
    begunAt: new Date().toISOString(),
    asOf: new Date().toISOString(),
  } as const
  accepted(await running.commands.agency(id, command, by))
}

async function addBrand(caller: ApiClient, brand: DemoBrand, images: string): Promise<Ready> {
  const { id: clientId } = await caller.callOrThrow('addClient', { body: brand.profile })
  const accounts = []
  for (const body of brand.accounts) {
    const { id, platform } = await caller.callOrThrow('addSocialAccount', { params: { id: clientId }, body })
    await connect(caller, id)
    accounts.push({ id, platform })
  }
  const image = new Blob([await readFile(join(images, brand.image))], { type: 'image/jpeg' })
  const { url: imageUrl } = await caller.callOrThrow('uploadImage', { body: image })
  return { brand, clientId, accounts, imageUrl }
}

type Become = 'draft' | 'pending' | 'approved' | 'scheduled' | 'rejected'

async function plan({ caller }: Filling, one: Ready, date: Temporal.PlainDate, number: number, become: Become) {
  const { brand, clientId, accounts, imageUrl } = one
  const account = accounts[number % accounts.length]
  const content = brand.texts[Math.floor(number / 2) % brand.texts.length]
  if (!account || content === undefined) throw new Error(`${brand.profile.name} has no account or no text`)
  const needsImage = account.platform === 'instagram' || number % 5 === 0
  const scheduledFor = wallClock(date, times[number % times.length] ?? '09:00', zoneOf())
  const body = { socialAccountId: account.id, content, scheduledFor, ...(needsImage ? { imageUrl } : {}) }
  const { id } = await caller.callOrThrow('writePost', { params: { id: clientId }, body })
  const change = (changed: object) => caller.callOrThrow('changePost', { params: { id }, body: changed })
  if (become === 'scheduled') await change({ status: 'scheduled', scheduledFor })
  if (become === 'pending' || become === 'approved' || become === 'rejected') await change({ status: 'pending' })
  if (become === 'approved') await change({ status: 'approved' })
  if (become === 'rejected')
    await change({ status: 'rejected', reason: 'Too close to what we posted last week. Another angle, please.' })
}

/** Moves the clock from one due post to the next, so that each is published at its time. */
async function liveUntil(end: string, { running, clock }: Filling): Promise<void> {
  for (;;) {
    const query = {
      where: { waiting: true, dueAt: { lt: end } },
      sort: { field: 'dueAt', order: 'asc' },
      limit: 1,
    } as const
    const [next] = await running.views.duePosts.find(query)
    const at = next?.dueAt ?? end
    clock.advance(Math.max(0, Date.parse(at) - Date.parse(clock.now())))
    await quiet(running, clock)
    if (next === undefined) return
  }
}

/** Waits until the publisher and the collector have no work left at this time. */
async function quiet({ views }: Running, clock: MovableClock): Promise<void> {
  const deadline = Date.now() + longestWaitMs
  for (let looks = 1; Date.now() < deadline; looks++) {
    // A failed attempt waits for its retry time, and only this function moves the clock.
    if (looks % 300 === 0) clock.advance(5 * 60_000)
    const due = await views.duePosts.count({ waiting: true, dueAt: { lt: clock.now() } })
    const claimed = await views.duePosts.count({ delivery: 'claimed' })
    const unread = await views.figuresDue.count({ readings: 0, publishedAt: { lt: later(clock.now(), -dayMs) } })
    if (due + claimed + unread === 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('The demo took too long. Remove its data folder and try again.')
}

/** Disconnects one account, so that the demo also shows a held post. */
async function holdOne({ caller, running, clock }: Filling, ready: readonly Ready[]): Promise<void> {
  const last = ready.at(-1)
  const account = last?.accounts[0]
  if (!last || !account) return
  const body = {
    socialAccountId: account.id,
    content: 'Late opening tonight: we close when the last chapter is read, or at ten.',
  }
  const { id } = await caller.callOrThrow('writePost', { params: { id: last.clientId }, body })
  await caller.callOrThrow('changePost', {
    params: { id },
    body: { status: 'scheduled', scheduledFor: later(clock.now(), 2_000) },
  })
  await caller.callOrThrow('disconnectSocialAccount', { params: { id: account.id } })
  const deadline = Date.now() + longestWaitMs
  while (Date.now() < deadline && (await running.views.posts.get(id))?.delivery !== 'held') {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
