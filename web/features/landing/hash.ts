/** Leads to the landing page with its form for signing in. */
export const signInHash = 'sign-in'
