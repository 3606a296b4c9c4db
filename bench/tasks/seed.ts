/**
 * What the tasks find on the server: an agency with four clients, accounts, and posts. By plain calls, because the
 * compared build's replies may lack fields.
 */
import { ApiClient } from '../../api/http/client.ts'
import type { RouteName } from '../../api/contract/index.ts'

const password = 'harbour lights 42'
const clients = ['Blue Cup', 'Fern & Stone', 'Lumen Books', 'Trail North']
const platforms = ['facebook', 'instagram', 'twitter', 'linkedin'] as const
const day = 24 * 3_600_000

/** The word that only one post has. */
export const rareWord = 'rhubarb'
const movedInDays = 2
/** The text of the post that is moved. */
export const movedText = 'Doors open at eight'

export interface Seeded {
  readonly caller: ApiClient
  /** The client that has an account on each network. */
  readonly fullClientId: string
}

async function create(
  caller: ApiClient,
  name: RouteName,
  body: unknown,
  params: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { status, text } = await caller.ask(name, { params, body })
  if (status >= 400) throw new Error(`${name}: ${status}: ${text}`)
  const reply: unknown = JSON.parse(text)
  return typeof reply === 'object' && reply !== null && 'id' in reply ? String(reply.id) : ''
}

export async function seed(url: string): Promise<Seeded> {
  const caller = new ApiClient(url)
  await create(caller, 'register', { email: `tasks-${Date.now()}@northstar.example`, password })
  await create(caller, 'openAgency', {
    name: 'North Star',
    email: 'hello@northstar.example',
    timeZone: 'Europe/Berlin',
  })
  const clientIds: string[] = []
  const accountIds: string[] = []
  for (const [index, name] of clients.entries()) {
    const clientId = await create(caller, 'addClient', { name })
    const wanted = index === 0 ? platforms : (['facebook'] as const)
    for (const platform of wanted) {
      const account = { platform, accountName: `${name} ${platform}` }
      const accountId = await create(caller, 'addSocialAccount', account, { id: clientId })
      if (platform === 'facebook') accountIds.push(accountId)
    }
    clientIds.push(clientId)
  }
  const write = (at: number, content: string, status: 'draft' | 'pending') =>
    create(caller, 'writePost', { socialAccountId: accountIds[at], content, status }, { id: clientIds[at] ?? '' })
  for (let number = 0; number < 6; number++) await write(number % 4, `Post ${number + 1} of this week`, 'pending')
  await write(2, `A cake with ${rareWord} on Monday`, 'draft')
  const moved = await write(3, movedText, 'draft')
  const plan = (id: string, days: number, hour: number) => {
    const scheduledFor = new Date(Math.floor(Date.now() / day) * day + days * day + hour * 3_600_000).toISOString()
    return create(caller, 'changePost', { status: 'scheduled', scheduledFor }, { id })
  }
  await plan(moved, movedInDays, 9)
  // Two weeks with a post a day, as an agency has them.
  for (let days = 1; days <= 14; days++)
    if (days !== movedInDays) await plan(await write(days % 4, `Post of day ${days}`, 'draft'), days, 9)
  return { caller, fullClientId: clientIds[0] ?? '' }
}
