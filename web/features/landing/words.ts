/** The words of the landing page; `auth-words.ts` has those of its forms. */
export const words = {
  pageTitle: 'Social media for every client',
  product: 'SocialAI',
  copyright: '© 2024 SocialAI. All rights reserved.',
  hero: {
    heading: "Manage your clients' social media with AI",
    text: "Write in each brand's own voice, get approval and publish on time. One place for up to 10 clients, and no post goes out unread.",
    start: 'Start Free Trial',
    signIn: 'Sign In',
    more: 'Learn More',
    terms: '7-day free trial. No credit card required. Cancel anytime.',
  },
  auth: {
    section: 'Sign up or sign in',
    tabs: 'Account',
    start: 'Start Free Trial',
    signIn: 'Sign In',
    error: 'Error',
    away: 'The server cannot be reached. Your text is still here; try again in a moment.',
  },
  features: {
    heading: 'From first draft to live post',
    text: 'All the daily work of an agency in one place.',
    writing: {
      title: 'AI content generation',
      text: "Drafts tailored to each client's brand voice, audience and industry. You decide what is published.",
    },
    scheduling: {
      title: 'Smart scheduling',
      text: 'Customizable times and frequencies for every account. Drag a post to another day; its time of day stays.',
    },
    analytics: {
      title: 'Analytics dashboard',
      text: 'Views, likes, comments and shares across all your clients, by network and by brand.',
    },
    clients: {
      title: 'Up to 10 clients',
      text: 'Each with its own branding, social accounts and content strategy, kept apart.',
    },
    onboarding: {
      title: 'Fast onboarding',
      text: 'Add a client, connect an account and plan the first post in minutes.',
    },
    security: {
      title: 'Secure and reliable',
      text: '99.9% uptime and automatic backups. Every change to a post is kept, so you can show who approved what.',
    },
  },
  pricing: {
    heading: 'One plan, one price',
    text: 'Try everything for 7 days. No credit card required, and you can cancel anytime.',
    plan: 'Agency Plan',
    perMonth: 'per month',
    start: 'Start Free Trial',
  },
  glimpse: {
    month: 'March 2025',
    client: 'Blue Cup Coffee',
    status: 'Pending Review',
    post: 'The first warm morning of the year calls for something cold. Our new slow-steeped brew is on tap from 8.',
    time: 'Thu, Mar 6 at 12:00 PM',
    approve: 'Approve',
    days: { mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu' },
    tiles: {
      menu: 'Spring menu',
      hiring: 'We are hiring',
      question: 'Ask us anything',
      house: 'Open house',
      roast: 'New roast',
    },
  },
} as const
