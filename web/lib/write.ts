/** Texts from the writer, in a client's voice. */
import type { Client, Reply, Routes, SocialAccount } from '../../api/contract/index.ts'
import { call } from './call.ts'
import { errorText, statusOf } from './error-text.ts'

export type Written = Reply<Routes['generateContent']>

export const defaultTone = 'professional'

/** Another text for a post that is there already. */
export function regenerate(client: Client | undefined, account: SocialAccount | undefined): Promise<Written> {
  if (!client || !account) return Promise.reject(new Error('Client or social account not found'))
  return call('POST /api/generate-content', {
    body: {
      clientId: client.id,
      platform: account.platform,
      topic: 'regenerate',
      tone: client.toneOfVoice || defaultTone,
    },
  }).catch((error: unknown) => {
    const status = statusOf(error)
    throw status === null ? error : new Error(`${status}: Failed to generate content. ${errorText(error)}`, { cause: error })
  })
}
