/** What people read about the approval steps of a post. */
import type { ApproverRole, PostStep } from '../../../api/contract/index.ts'

const roles: Readonly<Record<ApproverRole, string>> = { owner: 'the owner', admin: 'admins', manager: 'managers' }

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
  reminded: (times: number, last: string) =>
    times === 1 ? `Reminded ${last}` : `Reminded ${times === 2 ? 'twice' : `${times} times`}, last ${last}`,
  escalated: (to: ApproverRole) => `Also asked: ${roles[to]}`,
  escalatedOfClient: (to: ApproverRole) => `Told: ${roles[to]}`,
  reassigned: 'Reassigned',
  reassign: 'Reassign step…',
  reassignTitle: (step: string) => `Reassign “${step}”?`,
  reassignText: 'These people approve the step of this post, in place of those who were chosen before.',
  people: 'Approved by',
  loadingPeople: 'Loading the people',
  thePeople: 'The people',
  noPeople: 'No one approves posts of this client.',
  tooMany: (max: number) => `Choose at most ${max} people`,
  chooseOne: 'Choose at least one person',
  reassignReason: 'Reason',
  reasonMissing: 'Enter a reason',
  reassignNow: 'Reassign step',
  reassigning: 'Reassigning...',
  skip: 'Skip step…',
  skipTitle: (step: string) => `Skip “${step}”?`,
  skipText:
    'The step counts as done without an approval. Your reason stays in the history of the post and on the client’s receipts.',
  skipReason: 'Reason',
  skipNow: 'Skip step',
  skipping: 'Skipping...',
  cancel: 'Cancel',
} as const
