/** Every text of the agency's setup that a person reads. */
export const words = {
  pageTitle: 'Set up your agency',
  heading: 'Welcome to SocialAI!',
  text: "Let's set up your agency account. Your 7-day free trial starts now.",
  name: 'Agency Name',
  email: 'Email',
  create: 'Create Agency',
  creating: 'Creating...',
  created: 'Agency created!',
  createdText: 'Your 7-day free trial has started.',
  error: 'Error',
  notYou: 'Not you?',
  signOut: 'Sign out',
} as const
