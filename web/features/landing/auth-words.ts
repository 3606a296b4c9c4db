/** The texts of the forms to sign up and in as they first show: every page loads these. */
export const authWords = {
  fields: { firstName: 'First Name', lastName: 'Last Name', email: 'Email', password: 'Password' },
  register: {
    title: 'Create your agency account',
    text: 'Begin your 7-day free trial with no credit card required.',
    action: 'Create Account',
    pending: 'Creating account…',
    done: 'Account created!',
    doneText: "You're all set to get started.",
    failed: 'Sign up failed',
  },
  login: {
    title: 'Welcome back',
    text: 'Sign in to manage your clients and content calendar.',
    action: 'Sign In',
    pending: 'Signing in…',
    done: 'Welcome back!',
    doneText: "You're now signed in.",
    failed: 'Sign in failed',
  },
  forgotQuestion: 'Forgot your password?',
  passkey: 'Sign in with a passkey',
  signOn: 'Continue with',
} as const
