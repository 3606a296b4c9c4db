/** What the composer holds: the draft, what is wrong with it, and its fields as they are kept on the device. */
import { nowField } from '../../lib/dates.ts'
import { words } from './words.ts'

export interface Draft {
  readonly accountId: string | null
  /** The further accounts that get the post. */
  readonly others: readonly string[]
  /** The own text of an account that is not the main one, by account id. */
  readonly texts: Readonly<Record<string, string>>
  /** The text of the main account, and of each other one that has none of its own. */
  readonly content: string
  readonly imageUrl: string
  /** The next free slot, or the time below. */
  readonly when: 'slot' | 'time'
  readonly time: string
}

/** The post that a new one is a copy of. */
export interface Copied {
  readonly socialAccountId: string
  readonly content: string
  readonly imageUrl: string | null
}

type Fields = Readonly<Record<string, string>>

/** The text that an account gets. */
export const textFor = ({ texts, content }: Pick<Draft, 'texts' | 'content'>, accountId: string): string =>
  texts[accountId] ?? content

/**
 * The draft with another main account, whose own text becomes `content`. Each account that showed the earlier `content`
 * keeps it as its own text, and so does the earlier main account.
 */
export function withMain(draft: Draft, accountId: string): Draft {
  const { [accountId]: own, ...texts } = draft.texts
  if (own === undefined) return { ...draft, accountId }
  const sharing = [draft.accountId, ...draft.others].filter((id) => id !== null && id !== accountId && !(id in texts))
  const kept = draft.content.trim() === '' ? [] : sharing.map((id) => [id, draft.content])
  return { ...draft, accountId, content: own, texts: { ...texts, ...Object.fromEntries(kept) } }
}

/** Nine o'clock of the day that was chosen on the calendar. */
export const startTime = (on: string | undefined) => (on === undefined ? '' : `${on}T09:00`)

interface Start {
  readonly accounts: readonly { readonly id: string }[]
  /** Fields that an earlier visit left. */
  readonly restored: Fields | null
  readonly copied: Copied | null
  readonly on: string | undefined
}

export function firstDraft({ accounts, restored, copied, on }: Start): Draft {
  const only = accounts.length === 1 ? accounts[0]?.id : undefined
  const same = accounts.find(({ id }) => id === copied?.socialAccountId)?.id
  const texts = textsIn(restored)
  const kept = accounts.find(({ id }) => id === restored?.[mainField])?.id
  const main = kept ?? same ?? only
  const draft = {
    accountId: null,
    others: restored?.[othersField]?.split(' ').filter((id) => id !== '') ?? Object.keys(texts),
    texts,
    content: restored?.['content'] ?? copied?.content ?? '',
    imageUrl: restored?.['imageUrl'] ?? copied?.imageUrl ?? '',
    when: on === undefined ? 'slot' : 'time',
    time: startTime(on),
  } as const
  return main === undefined ? draft : withMain(draft, main)
}

/** Whether the draft has something that is saved nowhere: a copy as it was made has not. */
export const isTyped = ({ content, imageUrl, texts }: Draft, topic: string, copied: Copied | null): boolean =>
  topic.trim() !== '' ||
  content.trim() !== (copied?.content ?? '').trim() ||
  imageUrl.trim() !== (copied?.imageUrl ?? '') ||
  Object.keys(texts).length > 0

export type Errors = Partial<Record<'account' | 'content' | 'texts' | 'imageUrl' | 'time', string>>

export function errorsOf({ accountId, others, texts, content, imageUrl, when, time }: Draft, zone: string): Errors {
  const url = imageUrl.trim()
  return {
    ...(others.some((id) => texts[id]?.trim() === '') && { texts: words.contentEmpty }),
    ...(accountId === null && { account: words.required }),
    ...(content.trim() === '' && { content: words.contentEmpty }),
    ...(url !== '' && !/^https?:\/\/\S+$/i.test(url) && { imageUrl: words.notAWebAddress }),
    ...(when === 'time' && time === '' && { time: words.required }),
    ...(when === 'time' && time !== '' && time <= nowField(zone) && { time: words.pastTime }),
  }
}

const ownText = 'text of '
const mainField = 'main account'
const othersField = 'other accounts'

/** The accounts' own texts as fields of a kept draft, with the choice of accounts that they belong to. */
export const fieldsOf = ({ accountId, others, texts }: Pick<Draft, 'accountId' | 'others' | 'texts'>): Fields =>
  Object.keys(texts).length === 0
    ? {}
    : {
        ...(accountId !== null && { [mainField]: accountId }),
        [othersField]: others.join(' '),
        ...Object.fromEntries(Object.entries(texts).map(([id, text]) => [ownText + id, text])),
      }

const textsIn = (restored: Fields | null): Draft['texts'] =>
  Object.fromEntries(
    Object.entries(restored ?? {}).flatMap(([field, text]) =>
      field.startsWith(ownText) ? [[field.slice(ownText.length), text]] : [],
    ),
  )
