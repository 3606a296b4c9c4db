/** The words of the form that asks for a new password. */
export const forgotWords = {
  text: 'We send you a link to choose a new password. Nothing changes until you open the link.',
  form: 'Request a new link',
  send: 'Send link',
  sending: 'Sending…',
  back: 'Back to sign in',
  sent: 'Check your email',
  sentText: 'If there is an account with this address, we sent a link. The link works for an hour.',
} as const
