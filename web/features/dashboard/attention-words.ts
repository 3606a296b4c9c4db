/** The words of the dashboard's lists. */
import type { AttentionAct, AttentionConnection, AttentionKind } from '../../../api/contract/index.ts'

export const words = {
  title: 'Needs attention',
  nothing: 'Nothing needs attention.',
  nextTitle: 'Next up',
  nothingNext: 'No posts scheduled.',
  loading: 'Loading what needs attention',
  what: 'What needs attention',
  more: (count: number) => `Show ${count} more`,
}

export const kindWords: Readonly<Record<AttentionKind, string>> = {
  failed: 'Publishing failed',
  unknown: 'Outcome unknown',
  held: 'On hold',
  pending: 'Pending review',
  draft: 'Not approved yet',
}

export const actWords: Readonly<Record<AttentionAct, string>> = {
  retry: 'Try again',
  release: 'Release',
  'return-to-draft': 'Return to draft',
  connect: 'Connect account',
  pay: 'Open billing',
  settle: 'Check outcome',
  review: 'Review',
  open: 'Open post',
}

export function connectionWords({ state, posts }: Pick<AttentionConnection, 'state' | 'posts'>): string {
  const title =
    state === 'broken' ? 'Connection lost' : state === 'ending' ? 'Connection expires soon' : 'Not connected'
  return posts === 0 ? title : `${title} · ${posts === 1 ? '1 post waiting' : `${posts} posts waiting`}`
}
