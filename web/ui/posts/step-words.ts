/** What people read about the approval steps of a post. */
import type { PostStep } from '../../../api/contract/index.ts'

const listed = (names: readonly string[]) => names.join(', ')

export const stepWords = {
  label: 'Approval',
  /** @param names of the people that the state is about, as far as they are known */
  state({ state, who, waitsFor }: PostStep, names: readonly string[]): string {
    const isClient = who.kind === 'client'
    switch (state) {
      case 'approved':
        if (isClient) return 'approved by the client'
        return names.length === 0 ? 'approved' : `approved by ${listed(names)}`
      case 'skipped':
        return 'skipped'
      case 'waiting':
        return 'not yet'
      case 'open':
        if (isClient) return 'waits for the client'
        if (waitsFor.length === 0) return 'no one is left who can approve it. An owner or admin can skip it.'
        return names.length === 0 ? 'open' : `waits for ${listed(names)}`
    }
  },
  skip: 'Skip step…',
  skipTitle: (step: string) => `Skip “${step}”?`,
  skipText: 'The step counts as done without an approval. Your reason stays in the history of the post.',
  skipReason: 'Reason',
  skipNow: 'Skip step',
  skipping: 'Skipping...',
  cancel: 'Cancel',
} as const
