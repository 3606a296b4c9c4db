/** The words of the line that says what changed since a list was read. */
export const words = {
  mayHaveChanged: 'There may be changes',
  newMetrics: 'New metrics',
  kinds: { posts: ['post', 'posts'], clients: ['client', 'clients'], accounts: ['account', 'accounts'] },
  /** `2 posts and 1 client changed, new metrics` */
  changed: (counted: readonly string[], hasMetrics: boolean) => {
    const things = counted.length === 1 ? counted[0] : `${counted.slice(0, -1).join(', ')} and ${counted.at(-1)}`
    return `${things} changed${hasMetrics ? ', new metrics' : ''}`
  },
} as const
