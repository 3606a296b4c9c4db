/** What the form *Send for review* holds, what is missing in it, and what is sent. */
import type { ReviewLink, Routes, SentBody } from '../../../api/contract/index.ts'
import { words } from './words.ts'

export const maxContacts = 10
export const maxPosts = 100
const hour = 3_600_000
const day = 24 * hour
/** The server's clock may differ from the browser's by this much. */
const leeway = 60_000

export const lives = {
  hour,
  day,
  threeDays: 3 * day,
  week: 7 * day,
  twoWeeks: 14 * day,
  month: 30 * day,
  quarter: 90 * day,
} as const
export type Life = keyof typeof lives

export interface ReviewDraft {
  readonly contacts: readonly string[]
  readonly anyone: boolean
  readonly scope: 'pending' | 'posts' | 'month'
  readonly postIds: readonly string[]
  readonly month: string
  readonly life: Life
  readonly may: ReviewLink['may']
  readonly lock: ReviewLink['lock']
  readonly passcode: string
}

/** @param postIds those that the dialog was opened for */
export const newDraft = (postIds: readonly string[], month: string): ReviewDraft => ({
  contacts: [],
  anyone: false,
  scope: postIds.length > 0 ? 'posts' : 'pending',
  postIds: postIds.slice(0, maxPosts),
  month,
  life: 'week',
  may: ['approve', 'comment'],
  lock: 'none',
  passcode: '',
})

export const errorsOf = ({ contacts, anyone, scope, postIds, may, lock, passcode }: ReviewDraft) => ({
  who:
    contacts.length === 0 && !anyone
      ? words.whoMissing
      : contacts.length > maxContacts
        ? words.tooMany(maxContacts)
        : undefined,
  posts:
    scope !== 'posts'
      ? undefined
      : postIds.length === 0
        ? words.postsMissing
        : postIds.length > maxPosts
          ? words.tooManyPosts(maxPosts)
          : undefined,
  may: may.length === 0 ? words.mayMissing : undefined,
  passcode: lock === 'passcode' && passcode.length < 6 ? words.passcodeMissing : undefined,
})
export type ReviewErrors = ReturnType<typeof errorsOf>

export const isComplete = (draft: ReviewDraft): boolean =>
  Object.values(errorsOf(draft)).every((error) => error === undefined)

export const bodyOf = (draft: ReviewDraft, now: number): SentBody<Routes['issueReviewLink']> => ({
  contacts: [...draft.contacts],
  anyone: draft.anyone,
  scope: scopeOf(draft),
  expiresAt: new Date(now + withinBounds(lives[draft.life])).toISOString(),
  may: [...draft.may],
  lock: draft.lock,
  ...(draft.lock === 'passcode' && { passcode: draft.passcode }),
})

function scopeOf({ scope, postIds, month }: ReviewDraft): SentBody<Routes['issueReviewLink']>['scope'] {
  if (scope === 'posts') return { kind: 'posts', postIds: [...postIds] }
  return scope === 'month' ? { kind: 'month', month } : { kind: 'pending' }
}

const withinBounds = (life: number) => Math.max(lives.hour + leeway, Math.min(lives.quarter - leeway, life))
