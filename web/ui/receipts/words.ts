/** What people read about receipts of a client's verdicts. */
import type { Receipt } from '../../../api/contract/index.ts'

const former = 'Former reviewer'
const did = { approve: 'approved', changes: 'asked for changes to', hold: 'put on hold' } as const

export const words = {
  title: 'Receipts',
  titleOfOwn: 'Your receipt',
  text: 'What the client’s people said about this post. Each statement is signed, so that any change to it shows.',
  textOfOwn: 'What you said about this post, signed by the server. Keep it: it proves your decision.',
  theReceipts: 'The receipts',
  loading: 'Loading the receipts',
  none: 'There is no receipt yet.',
  /** @param receipt of a version, whose number is 0 for a post that was never submitted */
  said: ({ reviewer, verdict, submission }: Receipt) =>
    `${reviewer.name ?? former} ${did[verdict]} ${submission === 0 ? 'the post' : `version ${submission}`}`,
  former,
  print: 'Print',
  copy: 'Copy signed statement',
  copied: 'Copied',
  copyFailed: 'The statement could not be copied. Download it instead.',
  download: 'Download',
  close: 'Close',

  sheet: 'Receipt',
  verdict: 'Verdict',
  verdicts: { approve: 'Approved', changes: 'Changes asked for', hold: 'Put on hold' },
  step: 'Fulfilled step',
  version: 'Version',
  reviewer: 'Person',
  verified: 'Identity',
  proofs: { code: 'Verified by a mailed code', named: 'Only named, not verified' },
  time: 'Time',
  post: 'Post',
  contentHash: 'Text, SHA-256',
  mediaHash: 'Image, SHA-256',
  noImage: 'No image',
  approvalHash: 'Approved content',
  event: 'Entry in the log',
  eventIs: (type: string, revision: number) => `${type}, number ${revision} of the post`,
  skipped: 'Skipped steps',
  checkpoint: 'Checkpoint',
  checkpointIs: (time: string, events: number) => `Signed ${time}, over ${events.toLocaleString('en-US')} entries`,
  noCheckpoint: 'None was signed yet',
  statement: 'Signed statement',
  check: 'How to check it',
  checkSteps: (keys: string) => [
    'Save the signed statement to a file, for example receipt.txt.',
    `Save the public keys of the server, ${keys}, as keys.json.`,
    'Where SocialAI is installed, run: npm run audit -- verify receipt.txt --keys keys.json',
  ],
  nameIsApart: 'The name is no part of the statement, which stays valid after the person is erased.',
} as const
