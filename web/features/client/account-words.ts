/** What people read about the social accounts of a client. */

const count = (posts: number, one: string, several: (count: number) => string) => (posts === 1 ? one : several(posts))

export const accountWords = {
  accounts: 'Social accounts',
  add: 'Add Account',
  loading: 'Loading accounts',
  theAccounts: 'The accounts',
  none: 'No social accounts yet',
  noneText: 'Connect the accounts that this client publishes on.',
  connectAn: 'Connect an account',
  connectOn: (network: string) => `Connect ${network}`,

  states: { none: 'Not connected', connected: 'Connected', ending: 'Ends soon', broken: 'Connection lost' },
  sandbox: 'Sandbox',
  sandboxText: 'Posts go to a practice network on this server. Nobody outside sees them.',
  reconnect: 'Reconnect',
  connect: 'Connect',
  disconnect: 'Disconnect',
  edit: 'Edit',
  editThe: (account: string) => `Edit ${account}`,

  broke: 'The connection broke.',
  connectAgain: ' Connect the account again.',
  dependOnIt: (posts: number) =>
    count(posts, ' 1 scheduled post depends on it.', (many) => ` ${many} scheduled posts depend on it.`),
  ends: (time: string, advice: string) => `The connection ends ${time}. ${advice}`,
  connectToGoOn: 'Connect the account again to go on publishing.',
  dueAfter: (posts: number) =>
    `${count(posts, '1 post is', (many) => `${many} posts are`)} due after that. Connect the account again before then.`,
  pauseUntil: (because: string, time: string) => `${because} Publishing continues ${time}.`,
  connectBefore: (time: string) => `Connect the account again before ${time}.`,

  addTitle: 'Add Social Account',
  addText: 'Use the name that the account has on its network. You connect the account in the next step.',
  platform: 'Platform',
  selectPlatform: 'Select a platform',
  accountName: 'Account Name',
  accountUrl: 'Account URL',
  cancel: 'Cancel',
  adding: 'Adding...',
  added: (account: string) => ({
    title: 'Account added',
    description: `Connect ${account} so that posts can be published.`,
  }),

  editTitle: 'Edit Social Account',
  updated: (account: string) => ({ title: 'Account updated', description: `The account is now named ${account}.` }),
  nothingChanged: { title: 'Nothing changed', description: 'The account is saved already.' },
  remove: 'Remove account',
  removed: (account: string) => ({ title: 'Account removed', description: `${account} is no longer on the list.` }),
  removeFailed: 'Failed to remove account',
  saving: 'Saving...',
  save: 'Save Changes',

  disconnectTitle: (account: string) => `Disconnect ${account}?`,
  disconnectText: 'Posts of the account stay here. Posts that come due go on hold until you connect the account again.',
  disconnected: (account: string) => ({
    title: 'Account disconnected',
    description: `Nothing is published on ${account} until you connect it again.`,
  }),
  disconnectFailed: 'Failed to disconnect account',

  profile: 'Profile',
  chooseTitle: 'Choose a profile',
  chooseText: (account: string | undefined) =>
    `You gave access to several profiles. Posts of ${account ?? 'this account'} go to the profile that you choose.`,
  connected: (account: string) => ({ title: 'Account connected', description: `${account} is ready to publish.` }),
  chooseAgain: (why: string) => `${why} Connect the account again to choose.`,
} as const
