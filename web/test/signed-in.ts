/** A signed-in owner of an agency with one client, whose lists are what the test puts into them. */
import { changesMessage } from '../../api/contract/live-updates.ts'
import type {
  Agency,
  AnsweredPolicy,
  Attention,
  Client,
  ChangesMessage,
  Post,
  PostComment,
  PostCounts,
  SocialAccount,
  User,
} from '../../api/contract/index.ts'
import { list, refuse, stream, type Asked, type FakeApi } from './fake-api.ts'
import { aClient, anAccount, anAgency, aPost, aUser, cardOf, withActions } from './things.ts'

/** The server's sentence for a revision that is not the newest. */
export const overtaken = 'Somebody changed this meanwhile. Refresh to see the latest version.'

type ListQuery = Asked<'listAllPosts'>['query']

export interface World {
  user: User
  agency: Agency
  clients: Client[]
  accounts: SocialAccount[]
  posts: Post[]
  /** What the dashboard and the sidebar show; nothing at first. */
  attention: Attention
  /** Of all posts; none at first. */
  comments: PostComment[]
  /** Of all clients; without steps at first. */
  policy: AnsweredPolicy
  readonly client: Client
  readonly account: SocialAccount
  /** The `X-Position` of the lists. */
  position: string
  /** Sends live updates to the open pages. */
  readonly ring: (message: ChangesMessage) => void
  /** The number of open pages that listen to live updates. */
  readonly listeners: () => number
}

export function signedIn(api: FakeApi, parts: Partial<SocialAccount> = {}): World {
  const client = aClient()
  const account = anAccount(client.id, parts)
  const listeners = new Set<(text: string) => void>()
  let rings = 0
  const world: World = {
    user: aUser(),
    agency: anAgency(),
    clients: [client],
    accounts: [account],
    posts: [],
    attention: {
      counts: { failed: 0, unknown: 0, held: 0, pending: 0, draft: 0 },
      posts: [],
      connections: [],
      nextUp: [],
    },
    comments: [],
    policy: {
      steps: [],
      ownApproval: 'agency',
      timePart: { kind: 'free' },
      remindAfterHours: [],
      ifSilent: { kind: 'wait' },
    },
    client,
    account,
    position: 'p0',
    ring: (message) => {
      changesMessage.parse(message)
      rings += 1
      for (const listener of listeners) listener(`id: r${rings}\ndata: ${JSON.stringify(message)}\n\n`)
    },
    listeners: () => listeners.size,
  }
  const find = <T extends { readonly id: string }>(all: readonly T[], id: string) => all.find((each) => each.id === id)

  api.on('getUser', () => world.user)
  api.on('getAgency', () => world.agency)
  api.on('getDashboard', () => ({
    totalClients: world.clients.length,
    clientLimit: 10,
    activePosts: 0,
    dueThisWeek: 0,
    engagementPercent: 0,
    connectionWarnings: [],
  }))
  api.on('getAttention', () => world.attention)
  api.on('listClients', () => list(world.clients, { position: world.position }))
  api.on('getClient', ({ params }) => {
    const found = find(world.clients, params.id)
    return found
      ? { ...found, socialAccounts: world.accounts.length, posts: world.posts.length }
      : refuse(404, "This client doesn't exist.")
  })
  api.on('getApprovalPolicy', () => world.policy)
  api.on('listAllSocialAccounts', () => list(world.accounts, {}))
  api.on('listSocialAccounts', ({ params }) => world.accounts.filter(({ clientId }) => clientId === params.id))
  const cardsIn = (clientId: string | null, { status, platform, sort }: ListQuery) => {
    const shown = world.posts.filter(
      (post) =>
        (clientId === null || post.clientId === clientId) &&
        (status?.includes(post.status) ?? true) &&
        (platform?.includes(post.platform) ?? true),
    )
    const byPlan = (post: Post) => post.scheduledFor ?? '9'
    const sorted = sort === 'planned' ? shown.toSorted((a, b) => byPlan(a).localeCompare(byPlan(b))) : shown
    return list(sorted.map(cardOf), { position: world.position })
  }
  api.on('listPosts', ({ params, query }) => cardsIn(params.id, query))
  api.on('listAllPosts', ({ query }) => cardsIn(null, query))
  const countIn = (posts: readonly Post[]) => {
    const count = (status: Post['status']) => posts.filter((post) => post.status === status).length
    const statuses = ['draft', 'pending', 'approved', 'scheduled', 'published', 'rejected'] as const
    const byStatus = Object.fromEntries(statuses.map((status) => [status, count(status)])) as PostCounts['byStatus']
    return { byStatus, total: posts.length }
  }
  api.on('countPosts', ({ params }) => countIn(world.posts.filter(({ clientId }) => clientId === params.id)))
  api.on('countAllPosts', () => countIn(world.posts))
  api.on('getPost', ({ params }) => find(world.posts, params.id) ?? refuse(404, "This post doesn't exist."))
  api.on('writePost', ({ body }) => {
    const owner = find(world.accounts, body.socialAccountId)
    if (!owner) return refuse(404, "This account doesn't exist.")
    const post = aPost(owner, { content: body.content, imageUrl: body.imageUrl, status: body.status })
    world.posts = [post, ...world.posts]
    return post
  })
  api.on('changePost', ({ params, body, headers }) => {
    const revision = headers.get('If-Match')
    const post = find(world.posts, params.id)
    if (!post) return refuse(404, "This post doesn't exist.")
    if (revision !== null && revision !== `"${post.revision}"`) return refuse(412, overtaken)
    const { generationId: _, ...parts } = { generationId: null, ...body }
    return changed(world, params.id, 'reason' in parts ? { status: 'rejected', rejectionReason: parts.reason } : parts)
  })
  api.on('getNextSlot', () => ({ at: '2030-01-07T09:00:00.000Z' }))
  api.on('deletePost', ({ params }) => {
    world.posts = world.posts.filter(({ id }) => id !== params.id)
    return undefined
  })
  api.on('getTeam', () => ({
    members: [],
    invitations: [],
    ownApproval: 'allowed',
    ownershipOfferedTo: null,
    mails: true,
    maxMembers: 50,
  }))
  api.on('getUsage', () => ({ model: 'gpt', thisMonth: '2030-01', months: [] }))
  api.on('getPostHistory', () => [])
  api.on('listComments', ({ params }) => {
    const { content = '', imageUrl = null } = find(world.posts, params.id) ?? {}
    const hashes = { textHash: `v1:${'a'.repeat(64)}`, imageHash: imageUrl && `v1:${'b'.repeat(64)}` }
    return { content, imageUrl, ...hashes, comments: world.comments, next: null }
  })
  api.on('getNews', () => {
    const encoder = new TextEncoder()
    let listener: (text: string) => void
    return stream(
      new ReadableStream({
        start: (controller) => {
          listener = (text) => controller.enqueue(encoder.encode(text))
          listeners.add(listener)
        },
        cancel: () => void listeners.delete(listener),
      }),
    )
  })
  return world
}

/** Puts a changed post in the place of the earlier one, as the server does: its revision grows. */
export function changed(world: World, id: string, parts: Partial<Post>): Post {
  const index = world.posts.findIndex((each) => each.id === id)
  const before = world.posts[index]
  if (!before) throw new Error(`No post ${id}`)
  const after = withActions({ ...before, ...parts, revision: before.revision + 1 })
  world.posts = world.posts.with(index, after)
  return after
}
