/** The words of failed requests. In a file of their own, because each visitor loads them. */
export const callWords = {
  unreachable: 'The server cannot be reached. Nothing is lost: check the connection, then try again.',
  failedImport: 'The server cannot be reached. Check the connection, then try again.',
  unknown: 'Something went wrong',
} as const
