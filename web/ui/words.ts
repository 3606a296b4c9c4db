/** The words of the shared controls. */
export const words = {
  working: 'Working',
  close: 'Close',
  cancel: 'Cancel',
  refresh: 'Refresh',
  error: 'Error',
  freeTrial: 'Free Trial',

  notPossible: 'Not possible right now',
  couldNotOpen: 'This could not be opened',
  listNotLoaded: 'The list could not be loaded. Check the connection, then try again.',
  select: 'Select',
  notifications: 'Notifications',

  discardTitle: 'Discard what you wrote?',
  discardText: 'Your text is not saved.',
  keepWriting: 'Keep writing',
  discard: 'Discard',

  connected: 'Account connected',
  readyToPublish: (account: string) => `${account} is ready to publish.`,
  theAccount: 'The account',
  notConnected: 'Could not connect',
  connectFailures: {
    canceled: 'Access was not allowed, so the account is not connected. You can connect it at any time.',
    'network-failed': 'The network could not connect the account. Try again.',
    'unknown-account': 'This account no longer exists.',
    expired: 'The link to the network was already used or has expired. Connect the account again.',
  },
} as const
