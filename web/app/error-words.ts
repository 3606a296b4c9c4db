/** The words of the page in place of a screen that broke. In a file of its own: it is loaded with the first page. */
export const words = {
  title: 'This screen could not be shown',
  tryAgain: 'Try again',
} as const
