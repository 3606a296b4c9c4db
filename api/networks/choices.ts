/** Profiles covered by a consent, stored encrypted until the user has chosen one. */
import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Instant } from '../../domain/core/event.ts'
import type { Platform } from '../../domain/core/values.ts'
import { later, type Clock } from '../core/clock.ts'
import { bounds } from '../records/bounds.ts'
import type { Records } from '../records/port.ts'
import { removeSurplus } from '../records/surplus.ts'
import type { Profile } from './port.ts'
import type { EncryptedToken, TokenCipher } from './token-cipher.ts'

/** The account to connect, and the user who asked. */
export interface Asked {
  /** Of a new account it is provisional: the profile decides which account it becomes. */
  readonly accountId: string
  /** Whether the account is created once the profile is known. Absent in older records. */
  readonly isNew?: boolean
  readonly clientId: string
  readonly agencyId: string
  readonly userId: string
  readonly platform: Platform
}

interface PendingChoice extends Asked {
  /** SHA-256 of the choice's id. */
  readonly id: string
  readonly session: string
  readonly profiles: EncryptedToken
  readonly expiresAt: Instant
}

export interface Choices {
  /** Stores the profiles for ten minutes and returns the choice's id. */
  offer(asked: Asked, session: string, profiles: readonly Profile[]): Promise<string>
  /** Null when there is none, it has expired, or it belongs to another session. */
  find(
    choiceId: string,
    session: string,
  ): Promise<{ readonly asked: Asked; readonly profiles: readonly Profile[] } | null>
  /** Ends the choice; false when it had ended already. */
  take(choiceId: string): Promise<boolean>
  /** Deletes expired choices. */
  sweep(): Promise<void>
}

const lifeMs = 10 * 60_000
/** About 300 kB. */
const maxProfiles = 1_000

const storedProfiles = z.array(
  z.object({
    remoteId: z.string(),
    name: z.string(),
    tokens: z.object({
      accessToken: z.string(),
      refreshToken: z.string().nullable(),
      expiresAt: z.string().nullable(),
      endsAt: z.string().nullable(),
    }),
  }),
)

export async function openChoices(records: Records, cipher: TokenCipher, clock: Clock): Promise<Choices> {
  const table = await records.table<PendingChoice>({ table: 'profile_choices', indexed: ['expiresAt', 'userId'] })
  return {
    async offer({ accountId, clientId, agencyId, userId, platform, isNew = false }, session, profiles) {
      const choiceId = randomBytes(16).toString('base64url')
      const id = hashed(choiceId)
      const encrypted = cipher.encrypt(placeOf(id), JSON.stringify(profiles.slice(0, maxProfiles)))
      const asked = { accountId, isNew, clientId, agencyId, userId, platform }
      await table.put({ ...asked, id, session, profiles: encrypted, expiresAt: later(clock.now(), lifeMs) })
      await removeSurplus(table, {
        field: 'userId',
        owner: userId,
        max: bounds.profile_choices.each.max,
        begun: (pending) => pending.expiresAt,
        except: id,
      })
      return choiceId
    },
    async find(choiceId, session) {
      const found = (await table.get(hashed(choiceId)))?.record
      if (found?.session !== session || found.expiresAt <= clock.now()) return null
      // Null also when the encryption key was replaced meanwhile.
      const opened = cipher.openOrNull(placeOf(found.id), found.profiles)
      return opened === null ? null : { asked: found, profiles: storedProfiles.parse(JSON.parse(opened)) }
    },
    take: (choiceId) => table.remove(hashed(choiceId)),
    async sweep() {
      await table.removeBefore('expiresAt', clock.now())
    },
  }
}

/** SHA-256, in hex: what is stored of a secret that only a browser has. */
export const hashed = (text: string) => createHash('sha256').update(text).digest('hex')
const placeOf = (id: string) => `profile_choices/${id}`
