/** Reads how many more posts a network accepts, with a short timeout: an unknown quota refuses nothing. */
import type { SocialAccount } from '../../domain/client/state.ts'
import type { Instant } from '../../domain/core/event.ts'
import type { PostContext } from '../../domain/post/rules.ts'
import type { Views } from '../../projections/registry.ts'
import { later } from '../core/clock.ts'
import { NetworkError, type Networks, type Quota } from './port.ts'
import { VaultError } from './token-cipher.ts'
import type { Vault } from './vault.ts'

interface Ports {
  readonly networks: Networks
  readonly vault: Vault
  readonly views: Pick<Views, 'duePosts'>
}

interface Asked {
  readonly at: number
  readonly quota: Promise<Quota | null>
}

const keptMs = 60_000
const longestWaitMs = 3_000
const accountsInMemory = 5_000

export function createQuota({ networks, vault, views }: Ports) {
  const asked = new Map<string, Asked>()

  const ask = async (accountId: string, platform: SocialAccount['platform']): Promise<Quota | null> => {
    try {
      const connection = await vault.get(accountId)
      if (!connection) return null
      return await networks[platform].quota(connection)
    } catch (error) {
      if (error instanceof NetworkError || error instanceof VaultError) return null
      throw error
    }
  }

  const recent = (accountId: string, { platform, remoteId }: SocialAccount): Promise<Quota | null> => {
    // Each profile has its own quota.
    const key = `${accountId}/${remoteId ?? ''}`
    const known = asked.get(key)
    if (known && performance.now() - known.at < keptMs) return known.quota
    if (asked.size >= accountsInMemory) asked.clear()
    const quota = ask(accountId, platform)
    asked.set(key, { at: performance.now(), quota })
    // The records may answer the next time.
    quota.catch(() => asked.delete(key))
    return quota
  }

  /** The remaining quota until the window's end, after the posts scheduled until then; null when it is unknown. */
  return async (accountId: string, account: SocialAccount, now: Instant): Promise<PostContext['quota']> => {
    let timer: NodeJS.Timeout | undefined
    const tooLong = new Promise<null>((resolve) => (timer = setTimeout(resolve, longestWaitMs, null)))
    const quota = await Promise.race([recent(accountId, account), tooLong]).finally(() => clearTimeout(timer))
    if (!quota) return null
    const until = later(now, quota.hours * 3_600_000)
    const onTheirWay = await views.duePosts.count({ accountId, waiting: true, dueAt: { lt: until } })
    return { left: quota.total - quota.used - onTheirWay, until }
  }
}
