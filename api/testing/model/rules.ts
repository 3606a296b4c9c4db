/** What an action leads to: the answer's status, and the world after it. Written down from the product's words. */
import type { Action, ActionOf } from './actions.ts'
import { changePost, nextMorning, roundOf } from './post-rules.ts'
import { clientOf, day, longestTweet, postOf, standing, type Post, type World } from './world.ts'

export interface ExpectedOutcome {
  readonly status: number
  readonly world: World
  /** The key of the thing that the answer is about, where one was made or made before. */
  readonly thing?: string
}

const maxClients = 10
const longestLinkDays = 366

/** @param key for what is made */
export function expectedOutcome(world: World, action: Action, key: string, now: number): ExpectedOutcome {
  const stays = (status: number, thing?: string): ExpectedOutcome => ({
    status,
    world,
    ...(thing === undefined ? {} : { thing }),
  })
  const { side } = action
  const isGood = standing(world.agencies[side], now) === 'good'
  switch (action.kind) {
    case 'addClient':
      return addClient(world, action, key, isGood)
    case 'renameClient': {
      const client = clientOf(world, side, action.client)
      return client
        ? {
            status: 200,
            world: { ...world, clients: { ...world.clients, [action.client]: { ...client, name: action.name } } },
          }
        : stays(404)
    }
    case 'setPolicy': {
      const client = clientOf(world, side, action.client)
      return client
        ? {
            status: 200,
            world: { ...world, clients: { ...world.clients, [action.client]: { ...client, steps: action.steps } } },
          }
        : stays(404)
    }
    case 'removeClient': {
      const client = world.clients[action.client]
      // A second time it holds already.
      if (client?.side !== side) return stays(404)
      return {
        status: 204,
        world: { ...world, clients: { ...world.clients, [action.client]: { ...client, removed: true } } },
      }
    }
    case 'addAccount': {
      const { client, platform, name } = action
      if (!clientOf(world, side, client)) return stays(404)
      if (
        Object.values(world.accounts).some(
          (other) => other.client === client && other.platform === platform && other.name === name,
        )
      )
        return stays(409)
      return {
        status: 201,
        thing: key,
        world: { ...world, accounts: { ...world.accounts, [key]: { client, platform, name } } },
      }
    }
    case 'writePost':
      return writePost(world, action, key, now, isGood)
    case 'deletePost': {
      const post = postOf(world, side, action.post)
      return post ? { status: 204, world: withPost(world, action.post, { ...post, deleted: true }) } : stays(404)
    }
    case 'issueLink': {
      const { client, days } = action
      if (client !== null && !clientOf(world, side, client)) return stays(404)
      if (days <= 0 || days > longestLinkDays) return stays(409)
      return {
        status: 201,
        thing: key,
        world: {
          ...world,
          links: { ...world.links, [key]: { side, client, expiresAt: now + days * day, revoked: false } },
        },
      }
    }
    case 'revokeLink': {
      const link = world.links[action.link]
      return link?.side === side
        ? { status: 204, world: { ...world, links: { ...world.links, [action.link]: { ...link, revoked: true } } } }
        : stays(404)
    }
    case 'openLink': {
      // The link opens for every holder.
      const link = world.links[action.link]
      return stays(!link ? 404 : link.revoked || link.expiresAt <= now ? 403 : 200)
    }
    case 'pay':
      return world.agencies[side].paid === 'active'
        ? stays(409)
        : {
            status: 200,
            world: { ...world, agencies: { ...world.agencies, [side]: { ...world.agencies[side], paid: 'active' } } },
          }
    case 'cancel':
      return world.agencies[side].paid === 'active'
        ? {
            status: 200,
            world: { ...world, agencies: { ...world.agencies, [side]: { ...world.agencies[side], paid: 'canceled' } } },
          }
        : stays(200)
    case 'wait':
      return {
        status: 200,
        world: Object.keys(world.posts).reduce((later, post) => due(later, post, now + action.days * day), world),
      }
    default: {
      const post = postOf(world, side, action.post)
      if (!post || post.deleted) return stays(404)
      const changed = changePost(post, action, {
        now,
        isGood,
        isTweet: world.accounts[post.account]?.platform === 'twitter',
        steps: world.clients[post.client]?.steps ?? 0,
      })
      return typeof changed === 'number'
        ? stays(changed)
        : { status: 200, world: withPost(world, action.post, changed) }
    }
  }
}

const withPost = (world: World, key: string, post: Post): World => ({
  ...world,
  posts: { ...world.posts, [key]: post },
})

/** None of these accounts is connected: what falls due waits for a person. */
function due(world: World, key: string, now: number): World {
  const post = world.posts[key]
  const isDue =
    post &&
    !post.deleted &&
    !post.held &&
    (post.status === 'approved' || post.status === 'scheduled') &&
    post.at !== null &&
    post.at <= now
  return isDue && !world.clients[post.client]?.removed
    ? withPost(world, key, { ...post, held: true, revision: post.revision + 1 })
    : world
}

function addClient(
  world: World,
  { side, name, sentAs }: ActionOf<'addClient'>,
  key: string,
  isGood: boolean,
): ExpectedOutcome {
  const own = Object.entries(world.clients).filter(([, client]) => client.side === side)
  const [known, client] = (sentAs === null ? undefined : own.find(([, each]) => each.sentAs === sentAs)) ?? []
  if (known !== undefined && client)
    return client.removed || client.name !== name ? { status: 409, world } : { status: 201, world, thing: known }
  if (!isGood) return { status: 402, world }
  if (own.filter(([, { removed }]) => !removed).length >= maxClients) return { status: 409, world }
  return {
    status: 201,
    thing: key,
    world: { ...world, clients: { ...world.clients, [key]: { side, name, removed: false, sentAs, steps: 0 } } },
  }
}

function writePost(
  world: World,
  { side, client, account, content, when, as }: ActionOf<'writePost'>,
  key: string,
  now: number,
  isGood: boolean,
): ExpectedOutcome {
  const place = world.accounts[account]
  if (!clientOf(world, side, client) || place?.client !== client) return { status: 404, world }
  if (!isGood) return { status: 402, world }
  if (when !== null && when <= 0) return { status: 409, world }
  if (as !== 'draft' && place.platform === 'twitter' && content.length > longestTweet) return { status: 409, world }
  const steps = world.clients[client]?.steps ?? 0
  if (as === 'scheduled' && steps > 0) return { status: 409, world }
  const timeless = as === 'scheduled' ? nextMorning(now) : null
  const post: Post = {
    client,
    account,
    content,
    status: as,
    held: false,
    at: when === null ? timeless : now + when * day,
    reason: null,
    round: as === 'pending' ? roundOf(steps) : null,
    deleted: false,
    revision: as === 'draft' ? 0 : 1,
  }
  return { status: 201, thing: key, world: withPost(world, key, post) }
}
