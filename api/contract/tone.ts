/** For the server that writes and the screen that asks. Browser-safe. */
export const defaultTone = 'professional'
