/** Describes each event of a post in a sentence. */
import type { HistoryEntry } from '../../../api/contract/index.ts'
import { formatDateTime } from '../../lib/dates.ts'
import { provenanceWords } from './provenance-words.ts'

type Words = (data: Fields, zone: string) => string

class Fields {
  constructor(
    private readonly data: Readonly<Record<string, unknown>>,
    private readonly at?: string,
  ) {}

  of(name: string): unknown {
    return this.data[name]
  }

  text(name: string): string {
    const value = this.data[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }

  after(prefix: string, name: string): string {
    const value = this.text(name)
    return value === '' ? '' : `${prefix}${value}`
  }

  /** Whether the post is to go out at the moment of the event. */
  get isAtOnce(): boolean {
    return this.at !== undefined && this.data['scheduledFor'] === this.at
  }

  time(name: string, zone: string): string {
    const value = this.text(name)
    return value === '' ? 'an open time' : formatDateTime(value, zone)
  }
}

const roleNames: Readonly<Record<string, string>> = { owner: 'the owner', admin: 'admins', manager: 'managers' }

const holds: Readonly<Record<string, string>> = {
  overdue: 'its time had passed',
  'subscription-needed': 'the subscription needed attention',
  'not-connected': 'the account was not connected',
  'changed-account': 'the account had been connected to another profile',
  'client-asked': 'the client asked for it',
}

const deletions: Readonly<Record<string, string>> = {
  'client-removed': 'Deleted with its client',
  'schedule-changed': 'Withdrawn: its posting schedule was changed',
  'schedule-removed': 'Withdrawn: its posting schedule was deleted',
}

const after = (prefix: string, text: string | undefined) => (text === undefined ? '' : prefix + text)

const words: Readonly<Record<string, Words>> = {
  PostWritten: (data) =>
    provenanceWords(data.of('provenance'), false) ??
    (data.text('generationId') ? 'Written from a generated text' : 'Written'),
  PostContentRevised: (data) =>
    provenanceWords(data.of('provenance'), true) ?? (data.text('generationId') ? 'Text regenerated' : 'Text edited'),
  PostImageReplaced: (data) => (data.text('imageUrl') ? 'Image changed' : 'Image removed'),
  PostImageStored: () => 'Image kept as it was then',
  PostPlanned: (data, zone) => `Planned for ${data.time('scheduledFor', zone)}`,
  PostSubmitted: () => 'Submitted for review',
  PostStepApproved: (data) => `Step${data.after(' ', 'step')} approved`,
  PostStepSkipped: (data) => `Step${data.after(' ', 'step')} skipped${data.after(': ', 'reason')}`,
  PostStepReassigned: (data) => `Step${data.after(' ', 'step')} given to other people${data.after(': ', 'reason')}`,
  PostStepReminded: (data) =>
    `${data.of('unreached') === true ? 'No one could be reminded' : 'Reminded'} of step${data.after(' ', 'step')}`,
  PostStepEscalated: (data) =>
    `More people asked for step${data.after(' ', 'step')}${after(': ', roleNames[data.text('to')])}`,
  PostSignedOff: (data) => `Step${data.after(' ', 'step')} approved by the client`,
  PostReviewed: (data) =>
    data.text('verdict') === 'approve' ? 'Approved by the client' : 'The client asks for changes',
  PostApproved: (data, zone) =>
    data.isAtOnce ? 'Approved to be published at once' : `Approved for ${data.time('scheduledFor', zone)}`,
  PostRejected: (data) => `Rejected${data.after(': ', 'reason')}`,
  PostScheduled: (data, zone) =>
    data.isAtOnce ? 'Published at once, with approval' : `Scheduled for ${data.time('scheduledFor', zone)}`,
  PostRescheduled: (data, zone) => `Moved from ${data.time('from', zone)} to ${data.time('scheduledFor', zone)}`,
  PostReturnedToDraft: () => 'Returned to draft; the approval no longer counts',
  PostClaimed: (data) => `Publishing started${data.after(', attempt ', 'number')}`,
  PublishingPrepared: () => 'Everything ready; sent to the network once',
  PostPublished: (data) => (data.text('known') === 'found' ? 'Found live on the network' : 'Published'),
  PublishingRejected: (data, zone) =>
    `${data.text('cause') ? `Not taken by the network: ${data.text('cause')}` : 'Not taken by the network.'} Next try ${data.time('retryAt', zone)}`,
  PublishingOutcomeUnknown: (data) => `Outcome unknown${data.after(': ', 'cause')}`,
  PublishingFailed: (data) => `Publishing failed${data.after(': ', 'cause')}`,
  PostFoundAbsent: () => 'Found not to be live',
  PostHeld: (data) => `On hold${after(': ', holds[data.text('because')])}`,
  PostRetried: (data, zone) => `Sent again for ${data.time('scheduledFor', zone)}`,
  PostReleased: (data, zone) => `Released for ${data.time('scheduledFor', zone)}`,
  PostMetricsRecorded: () => 'Metrics read from the network',
  PostDeleted: (data) => deletions[data.text('because')] ?? 'Deleted',
}

/** An event of a later version has no words here. */
export function historyWords({ type, data, step, at }: HistoryEntry, zone: string): string {
  const known = words[type.replace(/\.v\d+$/, '')]
  return known
    ? known(new Fields(step === undefined ? data : { ...data, step: `“${step}”` }, at), zone)
    : 'Changed by a newer version of SocialAI'
}

/** The link to the published post, if the event has it. */
export const urlOf = ({ data }: HistoryEntry): string | null => new Fields(data).text('url') || null
