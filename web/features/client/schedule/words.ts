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
  if (!isActive) return 'The schedule is paused. Posts by the new rules are written once you resume the schedule.'
  return needsImage
    ? 'Drafts for the coming week are being written. Each needs an image before it can be reviewed.'
    : 'Posts for the coming week are being written. They wait for your review.'
}

/** Says what a user is about to change. */
export function beforeSaving(accountName: string, untouchedPosts: number, { isActive, needsImage }: Outlook): string {
  const what = `For ${accountName}.`
  if (untouchedPosts > 0 && !isActive)
    return `${what} The schedule is paused: untouched posts stay, and are written anew once you resume the schedule.`
  if (untouchedPosts > 0) return `${what} Posts that were neither reviewed nor edited are written anew.`
  if (!isActive) return `${what} The schedule is paused: nothing is written until you resume the schedule.`
  return needsImage
    ? `${what} Drafts are written for these times. Each needs an image before it can be reviewed.`
    : `${what} Posts are written for these times and wait for your review.`
}

/** What else people read about posting schedules. */
export const words = {
  schedules: 'Posting schedules',
  intro: (zone: string) =>
    `Posts are written a week ahead and wait for your review; posts for Instagram are drafts that need an image first. Times are in your agency's time zone (${zone}).`,
  loading: 'Loading posting schedules',
  theSchedules: 'The posting schedules',
  noAccounts: 'No accounts to post on yet',
  noAccountsText: 'A posting schedule belongs to a social account. Add an account first.',
  addAccount: 'Add a social account',

  active: 'Active',
  paused: 'Paused',
  none: (network: string) => `${network} · No posting schedule yet`,
  setUp: 'Set up schedule',
  delete: 'Delete',
  pause: 'Pause',
  resume: 'Resume',
  edit: 'Edit',

  editTitle: 'Edit Posting Schedule',
  setUpTitle: 'Set Up Posting Schedule',
  cancel: 'Cancel',
  saveMine: 'Save mine instead',
  saveChanges: 'Save Changes',
  create: 'Create Schedule',
  frequency: 'Frequency',
  frequencies: {
    daily: { label: 'Daily', hint: 'Every day, at each of the times' },
    weekly: { label: 'Weekly', hint: 'A set number of posts per week' },
    custom: { label: 'Custom', hint: 'At exactly the times that you list' },
  },
  postsPerWeek: 'Posts per week',
  current: 'The current schedule',
  currentText: 'The current schedule. Your changes are above.',

  deleteTitle: (account: string, posts: number) =>
    `Delete the posting schedule of ${account}${posts === 0 ? '' : posts === 1 ? ' and its post' : ` and its ${posts} posts`}?`,
  deleteText: (posts: number) => {
    const stay = 'Posts that you have reviewed or edited stay.'
    if (posts === 0) return stay
    return `${posts === 1 ? 'One untouched post is' : `${posts} untouched posts are`} deleted too. ${stay}`
  },
  deleted: (account: string) => ({
    title: 'Posting schedule deleted',
    description: `No posts are written for ${account} automatically any more.`,
  }),
  deleteFailed: 'Failed to delete posting schedule',

  pausedToast: {
    title: 'Posting schedule paused',
    description: 'Its posts stay. Nothing new is written until you resume the schedule.',
  },
  pauseFailed: 'Failed to pause posting schedule',
  resumedToast: (needsImage: boolean) => ({
    title: 'Posting schedule resumed',
    description: `${needsImage ? 'Drafts' : 'Posts'} for the coming week are being written.`,
  }),
  resumeFailed: 'Failed to resume posting schedule',
  tryingAgain: (count: number) => ({
    title: 'Trying again',
    description:
      count === 1 ? 'The post of this time is being written.' : `The posts of these ${count} times are being written.`,
  }),
  tryFailed: 'Failed to try again',

  preview: 'Preview',
  nextTimes: 'Next seven times',
  clocksForward: 'Moved: the clocks go forward',
  tryAll: (count: number) => `Try All ${count} Again`,
  tryAgain: 'Try again',
  tryThe: (time: string) => `Try ${time} again`,
  severalTimes: (count: number) => `${count} times: `,
  oneTime: (time: string) => `${time}: `,
  failedTimes: 'Times that could not be written',

  everyDay: 'Every day',
  preferredTimes: 'Preferred times',
  day: (number: number) => `Day ${number}`,
  time: (number: number) => `Time ${number}`,
  removeTime: (number: number) => `Remove time ${number}`,
  addTime: 'Add time',

  topics: 'Topics',
  removeTopic: (topic: string) => `Remove ${topic}`,
  topicExample: 'Behind the scenes',
  add: 'Add',
  topicsHint: "The topics take turns. Without any, each post is something new in the brand's voice.",

  noTime: 'Add at least one time',
  wrongTime: 'Enter a time like 09:00',
  wrongCount: 'Enter a number from 1 to 50',
  nothingChanged: { title: 'Nothing changed', description: 'The posting schedule is saved already.' },
  changed: 'Posting schedule changed',
  created: 'Posting schedule created',
} as const

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
        text: !waits ? 'Free' : Date.parse(at) > Date.now() + weekMs ? 'Upcoming' : 'Not written yet',
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
