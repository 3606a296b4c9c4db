/** Every text of the Content Library that a person reads. */
const isOne = (count: number) => count === 1

export const words = {
  error: 'Error',
  unread: 'The text continues. Read the whole text, then approve the post.',
  judged: (posts: string, isApproved: boolean) => `${posts} ${isApproved ? 'approved' : 'rejected'}`,
  outcome: (count: number, isApproved: boolean) =>
    isApproved
      ? `${isOne(count) ? 'It' : 'They'} will be published as scheduled.`
      : `${isOne(count) ? 'The post is' : 'The posts are'} in Drafts now.`,
  refused: (count: number, of: string, isApproved: boolean) =>
    `${count} of ${of} could not be ${isApproved ? 'approved' : 'rejected'}.`,
  why: (count: number) => (isOne(count) ? 'Its card says why.' : 'Their cards say why.'),
  approveMany: {
    title: (posts: string) => `Approve ${posts}?`,
    text: (count: number) => `${count} ${isOne(count) ? 'post' : 'posts'} can go out as scheduled.`,
    checking: 'Checking the posts',
    stopped: (posts: string) => `${posts} can't be approved`,
    held: (posts: string) => `${posts} can't go out until the account is connected`,
    notConnected: 'Account not connected',
    cancel: 'Cancel',
    action: (posts: string) => `Approve ${posts}`,
  },
} as const
