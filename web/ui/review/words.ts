/** What members of the agency read when they send posts for review. */
import type { ReviewLink } from '../../../api/contract/index.ts'

type May = ReviewLink['may'][number]
const posts = (count: number) => `${count} ${count === 1 ? 'post' : 'posts'}`

export const words = {
  send: 'Send for review',
  title: 'Send for review',
  text: 'Each person gets a letter with a link of their own. They need no account.',
  textWithoutMail: 'This server sends no mail: copy each link and pass it on. People need no account.',
  who: 'Who reviews',
  loadingContacts: 'Loading the contacts',
  theContacts: 'The contacts',
  noContacts: 'No contacts yet. Add the first one, or make a link for anyone.',
  anyone: 'Anyone with the link',
  anyoneNote:
    'They say who they are. Receipts are marked “only named”, and where authors may not approve, neither may they.',
  whoMissing: 'Choose at least one person, or anyone with the link',
  tooMany: (max: number) => `Choose at most ${max} people`,

  addContact: 'Add a contact',
  contactName: 'Name',
  contactEmail: 'Email',
  add: 'Add',
  adding: 'Adding...',
  cancelAdding: 'Cancel',
  added: (name: string) => `${name} was added`,

  scope: 'What they see',
  scopes: {
    pending: 'All posts that wait for approval',
    posts: 'Chosen posts',
    month: 'A month',
  },
  scopeNotes: {
    pending: 'Also those that are submitted while the link is open.',
    posts: 'These posts alone, and what becomes of them.',
    month: 'The submitted posts of that month, also those already approved or sent back.',
  },
  chosen: (count: number) => `${posts(count)} chosen`,
  loadingPosts: 'Loading the posts',
  thePosts: 'The posts',
  noPosts: 'No post waits for approval.',
  postsMissing: 'Choose at least one post',
  tooManyPosts: (max: number) => `Choose at most ${max} posts`,
  month: 'Month',

  until: 'Open for',
  lives: {
    hour: '1 hour',
    day: '1 day',
    threeDays: '3 days',
    week: '7 days',
    twoWeeks: '14 days',
    month: '30 days',
    quarter: '90 days',
  },

  may: 'What they may do',
  abilities: {
    approve: 'Approve or ask for changes',
    comment: 'Comment',
    suggest: 'Suggest changes to the text',
    hold: 'Hold approved and scheduled posts',
  } satisfies Record<May, string>,
  mayMissing: 'Choose at least one',

  lock: 'Lock',
  locks: {
    none: 'None: the link alone opens it',
    passcode: 'A passcode, which you pass on',
    code: 'A code by mail, each time: proves who decides',
  },
  passcode: 'Passcode',
  passcodeHint: 'At least 6 characters. Pass it on by another way than the link.',
  passcodeMissing: 'Enter at least 6 characters',

  action: 'Send',
  actionWithoutMail: 'Make the link',
  sending: 'Sending...',

  sent: 'Sent for review',
  sentText: (until: string) => `The link is open until ${until}. Addresses are shown only now.`,
  mailed: 'Letter on its way',
  linkOf: (name: string) => `Link of ${name}`,
  linkOfAnyone: 'Link for anyone',
  copy: (what: string) => `Copy: ${what}`,
  copied: 'Link copied',
  copiedText: 'Send it to the person it is for.',
  copyFailed: 'The link could not be copied. Select the address and copy it.',
  error: 'Error',
  done: 'Done',
  formerContact: 'A former contact',
} as const
