/** What people read on the page of a client. */
import { maxGroupPosts } from '../../../api/contract/limits.ts'

export const words = {
  required: 'Required',
  contentEmpty: 'Content must not be empty',
  notAWebAddress: 'Enter a web address that starts with http:// or https://',
  pastTime: 'Choose a future time',

  newPost: 'New Post',
  copiedPost: 'The post to duplicate',
  account: 'Account',
  accountOn: (account: string, network: string) => `${account} · ${network}`,
  selectAccount: 'Select an account',
  notConnected: 'Not connected',
  content: 'Content',
  contentPlaceholder: 'What do you want to say?',

  preview: 'Preview',
  previewOf: (account: string, network: string) => `${account} on ${network}`,

  alsoPostTo: 'Also post to',
  maxAccounts: `At most ${maxGroupPosts} accounts at once.`,
  differentText: (network: string) => `Write a different text for ${network}`,
  textFor: (account: string, network: string) => `Text for ${account} on ${network}`,
  sharedText: 'Use the text above',

  generateWithAi: 'Generate with AI',
  generate: 'Generate',
  generateSeveral: (count: number) => `Generate ${count} options`,
  generateFailed: 'Failed to generate content',
  close: 'Close',
  topic: 'Topic',
  topicExample: 'Our new opening hours',
  tone: 'Tone',
  accountFirst: 'Choose an account first.',
  textStays: 'Your own text stays until you use a suggestion.',
  changeYours: 'Or change your text:',

  time: 'Time',
  nextSlot: 'Next free slot',
  nextSlotAt: (time: string) => `Next free slot: ${time}`,
  eachItsSlot: 'Each account gets its own next free slot.',
  chooseTime: 'Choose date and time',
  dateAndTime: 'Date and time',
  zoneHint: (zone: string) => `In your agency's time zone (${zone}).`,

  saveDraft: 'Save as Draft',
  submit: 'Submit for Review',
  schedule: 'Schedule',

  saved: {
    draft: { title: 'Draft saved', description: 'Find the draft in the list of posts.' },
    pending: { title: 'Post submitted', description: 'Post is waiting for review.' },
  },
  savedSeveral: (count: number) => ({
    draft: { title: 'Drafts saved', description: `${count} drafts, one for each account.` },
    pending: { title: 'Posts submitted', description: `${count} posts are waiting for review.` },
    scheduled: { title: 'Posts scheduled', description: `${count} posts have been scheduled for publishing.` },
  }),
  firstAt: (time: string) => `The first is scheduled for ${time}.`,
  scheduledFor: (time: string) => `Scheduled for ${time}.`,
  failed: { draft: 'Failed to save draft', pending: 'Failed to submit post' },
  someSaved: (saved: number, of: number) => `${saved} of ${of} posts saved`,
  refusedBy: (accounts: string) => `Not saved for ${accounts}. What is left stays here.`,
} as const
