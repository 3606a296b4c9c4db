/** Users, clients, accounts and posts as the API answers them. Each has an id of its own. */
import { abilitiesOf } from '../../domain/post/state-table.ts'
import type { Agency, Client, Post, PostCard, SocialAccount, TeamMember, User } from '../../api/contract/index.ts'

let count = 0
/** A new id. */
export const newId = (): string => `0190a000-0000-7000-8000-${String(++count).padStart(12, '0')}`

const at = '2030-01-07T09:00:00.000Z'

export const aUser = (parts: Partial<User> = {}): User => ({
  id: newId(),
  email: 'ada@northstar.example',
  firstName: 'Ada',
  lastName: 'Lovelace',
  emailConfirmed: true,
  profileImageUrl: null,
  createdAt: at,
  ...parts,
})

export const anAgency = (parts: Partial<Agency> = {}): Agency => ({
  id: newId(),
  ownerId: newId(),
  name: 'North Star',
  email: 'hello@northstar.example',
  timeZone: 'Europe/Berlin',
  subscriptionStatus: 'active',
  trialEndsAt: null,
  currentPeriodEnd: null,
  endsWithPeriod: false,
  stripeCustomerId: null,
  stripeSubscriptionId: null,
  createdAt: at,
  standing: 'good',
  payments: false,
  doublePaid: false,
  heldPosts: 0,
  ownApproval: 'allowed',
  brand: { logoUrl: null, color: null },
  secondFactorSince: null,
  secondFactorDueAt: null,
  isSecondFactorOverdue: false,
  me: { memberId: 'member', role: 'owner', clients: 'all' },
  ...parts,
})

export const aMember = (parts: Partial<TeamMember>): TeamMember => ({
  id: newId(),
  name: 'Ada Lovelace',
  email: 'ada@northstar.example',
  role: 'owner',
  clients: 'all',
  joinedAt: at,
  lastSeenAt: null,
  isMe: false,
  can: [],
  ...parts,
})

export const aClient = (parts: Partial<Client> = {}): Client => ({
  id: newId(),
  name: 'Blue Cup',
  description: null,
  industry: null,
  targetAudience: null,
  toneOfVoice: null,
  brandColor: '#3b82f6',
  logoUrl: null,
  createdAt: at,
  ...parts,
})

export const anAccount = (clientId: string, parts: Partial<SocialAccount> = {}): SocialAccount => ({
  id: newId(),
  clientId,
  platform: 'facebook',
  accountName: 'Blue Cup',
  accountUrl: null,
  isConnected: true,
  network: 'sandbox',
  endsAt: null,
  lostBecause: null,
  createdAt: at,
  state: 'connected',
  endangeredPosts: 0,
  pause: null,
  ...parts,
})

/** A post with the actions that its status allows. */
export const withActions = (post: Omit<Post, 'can'>): Post => ({ ...post, can: abilitiesOf(post) })

/** A draft, unless the parts name another status. */
export const aPost = (account: SocialAccount, parts: Partial<Omit<Post, 'can'>> = {}): Post =>
  withActions({
    id: newId(),
    clientId: account.clientId,
    socialAccountId: account.id,
    platform: account.platform,
    content: 'Fresh coffee',
    imageUrl: null,
    image: null,
    status: 'draft',
    delivery: 'none',
    deliveryNote: null,
    remedy: null,
    heldBecause: null,
    retryAt: null,
    rejectionReason: null,
    scheduledFor: null,
    publishedAt: null,
    url: null,
    plan: null,
    assignedTo: null,
    steps: null,
    createdAt: at,
    updatedAt: at,
    revision: 0,
    ...parts,
  })

const maxExcerpt = 400

export const cardOf = ({ content, ...post }: Post): PostCard => ({
  ...post,
  excerpt: content.slice(0, maxExcerpt),
  truncated: content.length > maxExcerpt,
})
