/** The callers: an owner with things in every state, and callers who have nothing or have lost it. */
import { vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { agencyIdOf } from '../../core/agency-id.ts'
import { lettersTo, tokenIn } from '../../features/auth/test/letters.ts'
import { ApiClient, connect } from '../../http/client.ts'
import { later } from '../../core/clock.ts'
import { png } from '../../features/media/test/helpers.ts'
import { allow } from '../../sandbox/test/serving.ts'
import { owner, type TestServer } from '../server.ts'
import { Known, type Foreign } from './known.ts'

const minute = 60_000
export const password = 'correct horse'

export interface Person {
  readonly caller: ApiClient
  readonly email: string
  readonly known: Known
  /** A social account whose consent covers more than one profile. */
  readonly several: string
}

/**
 * An agency with a client for each network, posts in every state, a schedule, a generated text, an auditor's link and
 * an open choice.
 */
export async function settled(server: TestServer, foreign: Foreign): Promise<Person> {
  const caller = await owner(server)
  const { id: userId, email } = await caller.callOrThrow('getUser')
  const image = await caller.callOrThrow('uploadImage', {
    body: new Blob([new Uint8Array(png())], { type: 'image/png' }),
  })
  const known = new Known(email, password, image.url, foreign, () => Date.parse(server.clock.now()))
  known.learnName('hash', image.hash)
  const { id: clientId } = await caller.callOrThrow('addClient', { body: { name: 'Blue Cup', industry: 'Coffee' } })
  const account = async (platform: 'facebook' | 'twitter' | 'linkedin' | 'instagram', accountName: string) =>
    (await caller.callOrThrow('addSocialAccount', { params: { id: clientId }, body: { platform, accountName } })).id
  const page = await account('facebook', 'Blue Cup')
  const feed = await account('twitter', 'bluecup')
  for (const id of [page, feed]) await connect(caller, id)
  await account('instagram', 'bluecup')
  await inEveryState(server, caller, { agencyId: agencyIdOf(userId), clientId, accountId: page })

  const daily = { frequency: 'daily', preferredTimes: [{ day: 'every', time: '09:00' }] } as const
  await caller.callOrThrow('addSchedule', { params: { id: clientId }, body: { socialAccountId: feed, ...daily } })
  await caller.callOrThrow('addClient', { body: { name: 'Red Pan' } })
  known.notice(
    await caller.callOrThrow('issueAuditorLink', {
      body: { label: 'An auditor', expiresAt: later(server.clock.now(), 300 * 24 * 60 * minute) },
    }),
  )
  const person = { caller, email, known, several: await account('facebook', 'Several') }
  await openChoice(person)
  return person
}

/** The link that was mailed for such a route: it sets a new password, or confirms this or another address. */
export async function askForLetter(server: TestServer, path: string, { caller, email, known }: Person): Promise<void> {
  const isOwn = path.includes('/address/')
  const isConfirmed = !isOwn && path.includes('confirm')
  const to = isConfirmed ? `other-${email}` : email
  const page = isOwn ? 'confirm-address' : isConfirmed ? 'confirm-email' : 'reset-password'
  const { status } = isOwn
    ? await caller.ask('askAddressLink')
    : isConfirmed
      ? await caller.ask('changeEmail', { body: { email: to, password } })
      : await caller.ask('forgotPassword', { body: { email } })
  // Frequent requests are limited: then the earlier link is used.
  if (status === 204) known.learnName('token', await vi.waitFor(() => newestTo(server, to, page), patience))
}

/** The token of the newest link to a page. */
async function newestTo(server: TestServer, address: string, page: string): Promise<string> {
  const newest = (await lettersTo(server, address)).findLast(({ text }) => text.includes(`/${page}#`))
  if (newest === undefined) throw new Error('Not yet')
  return tokenIn(newest.text)
}

interface Place {
  readonly agencyId: string
  readonly clientId: string
  readonly accountId: string
}

async function inEveryState(
  server: TestServer,
  caller: ApiClient,
  { agencyId, clientId, accountId }: Place,
): Promise<void> {
  const soon = later(server.clock.now(), 30 * minute)
  const write = async (content: string, scheduledFor: string | null, ...changes: readonly object[]) => {
    const body = { socialAccountId: accountId, content, scheduledFor }
    const { id } = await caller.callOrThrow('writePost', { params: { id: clientId }, body })
    for (const change of changes) await caller.callOrThrow('changePost', { params: { id }, body: change })
    return id
  }
  const approved = [{ status: 'pending' }, { status: 'approved' }]
  const stuck = await Promise.all(['Failed', 'Unknown', 'Held'].map((content) => write(content, soon, ...approved)))
  await write('Published', soon, ...approved)
  server.clock.advance(31 * minute)
  const by = { actor: { type: 'process', id: 'publisher' }, agencyId, correlationId: 'fuzz' } as const
  const attemptId = '0195a000-0000-7000-8000-0000000000aa'
  const claim = { type: 'ClaimPost', attemptId, until: later(server.clock.now(), 2 * minute) } as const
  const cause = 'The network refused it.'
  const fates = [
    { type: 'RecordPublishingFailed', attemptId, cause, remedy: 'wait' },
    { type: 'RecordOutcomeUnknown', attemptId, cause },
    null,
  ] as const
  for (const [index, fate] of fates.entries()) {
    const id = stuck[index] ?? ''
    if (fate) await server.commands.post(id, claim, by)
    await server.commands.post(id, fate ?? { type: 'HoldPost', because: 'overdue' }, by)
  }
  await write('A draft', null)
  await write('Pending', null, { status: 'pending' })
  await write('Rejected', null, { status: 'pending' }, { status: 'rejected', reason: 'Too long' })
  await write('Scheduled', null, { status: 'scheduled', scheduledFor: later(server.clock.now(), 600 * minute) })
}

/** A consent that covers two profiles and waits for a choice. */
export async function openChoice({ caller, known, several: accountId }: Omit<Person, 'email'>): Promise<void> {
  const consent = (await caller.ask('connectSocialAccount', { params: { id: accountId } })).headers.get('location')
  // It may be gone by now.
  if (consent === null) return
  const state = new URL(consent).searchParams.get('state') ?? ''
  const query = { state, code: await allow(consent, ['Acme', 'Acme Labs']) }
  const back =
    (await caller.ask('oauthCallback', { params: { platform: 'facebook' }, query })).headers.get('location') ?? ''
  const choice = new URL(back, 'http://here').searchParams.get('choice')
  // Once one is chosen, the same consent goes back to it.
  if (choice === null) return
  known.learnName('choice', choice)
  known.learnName('chooser', accountId)
  const profiles = await caller.callOrThrow('listProfileChoices', { params: { id: accountId, choice } })
  for (const { remoteId } of profiles) known.learnName('remoteId', remoteId)
}
