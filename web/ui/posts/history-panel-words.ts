/** What people read around a post's history; `history-words.ts` has the events. */

export const words = {
  failed: (why: string) => `The history could not be loaded. ${why} `,
  earlierFailed: (why: string) => `Earlier events could not be loaded. ${why}`,
  tryAgain: 'Try again',
  loading: 'Loading...',
  showEarlier: 'Show Earlier',
  times: (count: number) => `, ${count} times`,
  since: (time: string) => `, the first ${time}`,
  commented: { team: 'Commented for the team', client: 'Commented for the client' },
  viewPost: 'View post',
  changes: 'Changes in the text',
  showText: 'Show text',

  compare: (count: number, isWhole: boolean) => `Compare ${isWhole ? '' : 'the last '}${count} versions of the text`,
  before: 'Before',
  after: 'After',
  same: 'Both texts are the same.',
  removed: ' removed: ',
  added: ' added: ',
  endOfRemoved: ' end of removed. ',
  endOfAdded: ' end of added. ',
  receipts: 'Receipts',
} as const
