/** Every text of Billing that a person reads. */
const one = (count: number) => count === 1

export const words = {
  heading: 'Billing & Subscription',
  text: 'Manage your subscription and payment methods',
  error: 'Error',
  plan: {
    heading: 'Current Plan',
    byOwner: 'The owner of the agency manages the subscription.',
    price: 'Agency Plan - $49/month',
    active: 'Active',
    addPayment: 'Add Payment Method',
    manage: 'Manage Subscription',
    doublePaid: 'You are paying for more than one subscription. Open Manage Subscription and cancel the others.',
    trialEnds: (day: string) => `Your free trial ends on ${day}`,
    trialText: 'Add a payment method to continue after your trial',
    ends: (day: string) => `Your subscription ends on ${day}`,
    endsText: 'Everything works until then. To keep the subscription, choose Manage Subscription.',
    nextPayment: (day: string) => `Next payment on ${day}`,
  },
  held: {
    heading: (posts: string, count: number, isPaid: boolean) =>
      isPaid ? `${posts} ${one(count) ? 'was' : 'were'} on hold while the subscription was unpaid` : `${posts} on hold`,
    text: (count: number, isPaid: boolean) =>
      isPaid
        ? `Release ${one(count) ? 'the post' : 'the posts'} to publish ${one(count) ? 'it' : 'them'}. Posts whose time has passed are published at once${one(count) ? '' : ', in their order'}.`
        : `No post is lost. Once the subscription is paid, release ${one(count) ? 'the post' : 'the posts'} here.`,
    release: (count: number) => (one(count) ? 'Release post' : 'Release posts'),
    released: 'Posts released',
    releasedText: (posts: string, count: number) => `${posts} ${one(count) ? 'is' : 'are'} on the way again.`,
    left: (posts: string) => `${posts} more can be released now.`,
    failed: 'Failed to release the posts',
  },
  invoices: {
    heading: 'Invoices',
    loading: 'Loading invoices',
    failed: 'The invoices could not be loaded.',
    tryAgain: 'Try again',
    empty: 'No invoices yet. Invoices appear here after the first payment.',
    date: 'Date',
    amount: 'Amount',
    status: 'Status',
    invoice: 'Invoice',
    none: 'None yet',
    view: 'View',
    pdf: 'PDF',
    open: (kind: string, number: string) => `${kind} of invoice ${number}`,
    statuses: { draft: 'Draft', open: 'Open', paid: 'Paid', uncollectible: 'Not paid', void: 'Void' },
  },
  checkout: {
    left: 'No payment made',
    leftText: 'You left the payment page. You can add a payment method at any time.',
    added: 'Payment method added',
    addedText: 'Thank you. Your subscription is active.',
    waiting: 'Payment not confirmed yet',
    waitingText: 'Refresh this page in a moment.',
    failed: 'The state of your subscription could not be loaded. Refresh this page in a moment.',
  },
} as const
