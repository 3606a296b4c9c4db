/** A posting schedule in words. */
import { weekOf, type Schedule, type ScheduleRules, type ScheduleSlot } from '../../../../api/contract/index.ts'
import { formatSoon, formatTime } from '../../../lib/dates.ts'

export const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

const and = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
const clock = (time: string) => formatTime(`2000-01-01T${time}:00Z`, 'UTC')
const short = (day: number) => (dayNames[day] ?? '').slice(0, 3)

type Rules = Pick<ScheduleRules, 'frequency' | 'postsPerWeek' | 'preferredTimes'>

/** `Posts 3 times a week: Mon, Wed and Fri at 9:00 AM` */
export function rulesSentence(rules: Rules): string {
  const week = weekOf(rules)
  const byDay = new Map<number, string[]>()
  for (const { day, time } of week) byDay.set(day, [...(byDay.get(day) ?? []), time])
  const daysAt = new Map<string, number[]>()
  for (const [day, times] of byDay) daysAt.set(times.join(), [...(daysAt.get(times.join()) ?? []), day])
  const output = [...daysAt].map(
    ([times, days]) =>
      `${days.length === 7 ? 'every day' : and(days.map(short))} at ${and(times.split(',').map(clock))}`,
  )
  if (output.length === 1 && daysAt.values().next().value?.length === 7) return `Posts ${output.join()}`
  return `Posts ${howOften(week.length)}: ${output.join('; ')}`
}

/** Says which slots a weekly schedule lacks for the posts per week that it asks for; null: none. */
export function lackingTimes(rules: Rules): string | null {
  const count = weekOf(rules).length
  if (rules.frequency !== 'weekly' || count >= rules.postsPerWeek) return null
  return `The times allow only ${count === 1 ? 'one post' : `${count} posts`} a week. Add more times for ${rules.postsPerWeek}.`
}

const howOften = (count: number) =>
  count === 1 ? 'once a week' : count === 2 ? 'twice a week' : `${count} times a week`

export const topicsSentence = (topics: readonly string[]) =>
  topics.length === 0
    ? "About something new in the brand's voice each time"
    : topics.length === 1
      ? `About ${topics.join()}`
      : `About ${and(topics)} in turn`

interface Outlook {
  readonly isActive: boolean
  readonly needsImage: boolean
}

/** Says what happens to a schedule's posts once its rules are saved. */
export function afterSaving({ isActive, needsImage }: Outlook): string {
  if (!isActive) return 'It is paused. Posts by the new rules are written once you resume it.'
  return needsImage
    ? 'Drafts for the coming week are being written. Each needs an image before it can be reviewed.'
    : 'Posts for the coming week are being written. They wait for your review.'
}

/** Says what a user is about to change. */
export function beforeSaving(accountName: string, untouchedPosts: number, { isActive, needsImage }: Outlook): string {
  const what = `For ${accountName}.`
  if (untouchedPosts > 0 && !isActive)
    return `${what} It is paused: posts that nobody has reviewed or edited yet stay, and are written anew once you resume it.`
  if (untouchedPosts > 0) return `${what} Posts that nobody has reviewed or edited yet are written anew.`
  if (!isActive) return `${what} It is paused: nothing is written until you resume it.`
  return needsImage
    ? `${what} Drafts are written for these times. Each needs an image before it can be reviewed.`
    : `${what} Posts are written for these times and wait for your review.`
}

export interface SlotWords {
  readonly text: string
  readonly tone: 'draft' | 'pending' | 'approved' | 'scheduled' | 'published' | 'rejected'
}

const weekMs = 7 * 24 * 3_600_000

const ofPost: Readonly<Record<NonNullable<ScheduleSlot['status']>, SlotWords>> = {
  draft: { text: 'Draft', tone: 'draft' },
  pending: { text: 'Waiting for review', tone: 'pending' },
  approved: { text: 'Approved', tone: 'approved' },
  scheduled: { text: 'Scheduled', tone: 'scheduled' },
  published: { text: 'Published', tone: 'published' },
  rejected: { text: 'Rejected', tone: 'rejected' },
}

interface Around {
  /** Whether anything is written at all: not in a preview, not while it is paused. */
  readonly waits: boolean
  readonly needsImage: boolean
  readonly zone: string
}

export function slotWords(
  { at, state, status, movedTo }: ScheduleSlot,
  { waits, needsImage, zone }: Around,
): SlotWords {
  switch (state) {
    case 'planned':
      return status === 'draft' && needsImage
        ? { text: 'Draft, needs an image', tone: 'draft' }
        : ofPost[status ?? 'pending']
    case 'taken':
      return { text: 'Taken by another post', tone: 'scheduled' }
    case 'failed':
      return { text: "Couldn't be written", tone: 'rejected' }
    case 'deleted':
      return { text: 'Deleted', tone: 'draft' }
    case 'moved-away':
      return {
        text: movedTo === undefined ? 'Moved' : `Moved to ${formatSoon(movedTo, zone)}`,
        tone: ofPost[status ?? 'pending'].tone,
      }
    case 'free':
      return {
        text: !waits ? 'Free' : Date.parse(at) > Date.now() + weekMs ? 'Written later' : 'Not written yet',
        tone: 'draft',
      }
  }
}

export interface Failures {
  readonly cause: string
  /** In order. */
  readonly times: readonly string[]
}

/** Groups failures by their reason and lists the times of each once. */
export function byCause(failures: Schedule['failures']): readonly Failures[] {
  const times = new Map<string, string[]>()
  for (const { at, cause } of failures) times.set(cause, [...(times.get(cause) ?? []), at])
  return [...times].map(([cause, all]) => ({ cause, times: all }))
}
