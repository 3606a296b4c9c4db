/** What people read about the publishing of a post; `status.ts` has the words of its states. */
import type { Attempt } from '../../../api/contract/index.ts'

export const words = {
  publishing: 'Publishing',
  whyNot: "Why isn't this post live?",
  failed: (why: string) => `The state of publishing could not be loaded. ${why} `,
  tryAgain: 'Try again',
  seeOn: (network: string) => `View on ${network}`,
  openProfile: (network: string) => `Open the profile on ${network}`,
  connect: 'Connect the account',
  notConnected: 'Not connected',
  waiting: 'Waiting',
  scheduledFor: (time: string) => `Scheduled for ${time}`,
  waitsUntil: (time: string) => `Waits until ${time}`,

  attempts: 'Attempts to publish',
  earlierAttempts: 'Earlier attempts to publish',
  earlier: (count: number) => `${count} earlier`,
  attempt: (number: number, outcome: string) => `Attempt ${number}: ${outcome}`,
  nextTry: (time: string) => `Next try ${time}`,
  viewPost: 'View post',
  outcomes: {
    'under-way': 'Being sent',
    live: 'Live',
    'turned-down': 'Rejected, another try follows',
    failed: 'Failed',
    unknown: 'Outcome unknown',
    'not-live': 'Not live',
  } satisfies Readonly<Record<Attempt['outcome'], string>>,

  settle: 'Settle the outcome',
  liveAt: 'URL of the live post',
  notAWebAddress: 'Enter a web address that starts with http:// or https://',
  markLive: 'Mark as Live',
  markNotLive: 'Mark as Not Live',
  noFurtherLook: 'No further look-up is planned.',
  nextLook: (time: string) => `The next look-up is ${time}.`,
  attemptBegan: (time: string, sentence: string) => `The attempt began ${time}. ${sentence} `,
  lastLook: (time: string, next: string) => `The last look-up was ${time}. ${next}`,
  early: (network: string, until: string) =>
    `${network} may show a new post late. Wait until ${until} before you mark the post as not live: a post that appears later would be there twice.`,
} as const
