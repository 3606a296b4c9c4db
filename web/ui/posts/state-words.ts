/** The words of a post's state: on its card, its preview and the calendar. */
import type { Post } from '../../../api/contract/index.ts'

type Reason = NonNullable<Post['heldBecause']>

export const words = {
  published: (time: string) => `Published ${time}`,
  scheduledFor: (time: string) => `Scheduled for ${time}`,
  plannedFor: (time: string) => `Planned for ${time}`,
  created: (time: string) => `Created ${time}`,
  noTime: 'No time yet',

  publishingNow: 'Publishing now',
  handedOver: 'The post has been handed to the network.',
  nextTry: (time: string) => `Next try ${time}`,
  retrySoon: 'Another try follows soon',
  rejected: 'The network rejected the post. Another try follows.',
  unknown: 'Outcome unknown',
  noAnswer: 'The network did not answer in time. The post may or may not be live.',
  failed: 'Publishing failed',
  refused: 'The network refused the post.',

  onHold: 'On hold',
  onHoldBecause: {
    overdue: 'On hold: its time passed while nothing could be published',
    'subscription-needed': 'On hold: the subscription needs attention',
    'not-connected': 'On hold: account not connected',
    'changed-account': 'On hold: account connected to another profile since the approval',
    'client-asked': 'On hold: the client asked for it',
  } satisfies Readonly<Record<Reason, string>>,
  mend: {
    overdue: 'Nothing was sent. Release the post to publish it now, or choose a new time.',
    'subscription-needed': 'Nothing was sent. Release the post once the subscription is paid.',
    'not-connected': 'Nothing was sent. Connect the account, then release the post.',
    'changed-account': 'Nothing was sent. Return the post to draft and have it approved for this account.',
    'client-asked': 'Nothing was sent. Release the post once you have agreed with the client.',
  } satisfies Readonly<Record<Reason, string>>,

  connectionLost: 'Connection lost',
  accountLost: 'The account has lost its connection',
  notConnected: 'Not connected',
  accountNotConnected: 'Account not connected',
  waitsUntil: (time: string) => `Waits until ${time}`,
  pausedBy: (until: string, network: string) => `${until}: ${network} asked for a pause`,
  connectionEnds: 'Connection ends before then',
  reconnectBefore: 'Connect the account again before then',
} as const
