/** Every text of the pages that mailed links open. */
const startAgain = 'To start again, sign in and choose “Change email” in Settings.'

export const words = {
  product: 'SocialAI',
  toSettings: 'Go to Settings',
  signIn: 'Sign In',
  confirm: {
    pageTitle: 'Your new email address',
    title: 'Use this address for your account?',
    text: 'You will sign in with the address that this link was sent to. Nothing changes until you confirm.',
    action: 'Use this address',
    done: (email: string) => `Your email address is now ${email}`,
    doneText: 'Sign in with this address from now on. Messages go to this address too.',
    incomplete: 'This link is not complete',
    incompleteText: `Open the link from the email again, or copy the whole link. ${startAgain}`,
    over: 'This link no longer works',
    overText: `A link works once, for 24 hours, and until you request a newer one or change your password. ${startAgain}`,
    taken: 'This address has an account already',
    takenText: `Your own address is unchanged. ${startAgain}`,
  },
  reset: {
    pageTitle: 'Set a new password',
    title: 'Set a new password',
    text: 'You will be signed out everywhere. Then sign in with the new password.',
    password: 'New password',
    action: 'Set password',
    pending: 'Setting…',
    done: 'Your new password is set',
    doneText: 'You were signed out everywhere. From now on, sign in with the new password.',
    incomplete: 'This link is not complete',
    incompleteText: 'Open the link from the email again, or copy the whole link. You can also request a new one.',
    over: 'This link no longer works',
    overText: 'A link works once, for an hour, and until you request a newer one or change your password.',
  },
} as const
