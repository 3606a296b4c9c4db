/** What people read about texts that are written for them. */
import type { Rewrite } from '../../../api/contract/index.ts'

export const writerWords = {
  builtIn: "AI is not connected. The built-in writer composes texts from the client's profile.",
  writtenBuiltIn:
    "Written by the built-in writer from the client's profile: AI is not connected. Check the text before you use it.",

  regenerate: 'Regenerate with AI',
  regenerated: {
    title: 'Content regenerated',
    description: 'New content generated with AI. Review and save to update the post.',
  },
  regenerateFailed: 'Failed to regenerate content',
  restoreText: 'Restore my text',
  changeThis: 'Or change this text:',
  newText: 'New text',
  typedMeanwhile: 'Your text stays, because you went on typing. This text was written meanwhile.',

  suggested: 'Suggested texts',
  option: (number: number) => `Option ${number}`,
  use: 'Use this text',
  discard: 'Discard',

  reading: 'Reading the profile. The first words come in a moment.',
  writing: 'Writing…',
  cancel: 'Cancel writing',

  rewrites: {
    shorter: 'Shorter',
    longer: 'Longer',
    casual: 'More casual',
    'call-to-action': 'Add a call to action',
  } satisfies Readonly<Record<Rewrite, string>>,
} as const
