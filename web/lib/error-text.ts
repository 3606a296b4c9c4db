/** What an error says to a person: the sentence without the status in front of it. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  // A part of the program that could not be fetched, as each browser puts it.
  if (/dynamically imported module|module script failed/i.test(message)) return 'The server cannot be reached. Check the connection, then try again.'
  return message.replace(/^\d+: ?/, '').trim() || 'Something went wrong'
}

export const statusOf = (error: unknown): number | null => {
  const status = error instanceof Error ? /^(\d{3}):/.exec(error.message)?.[1] : undefined
  return status === undefined ? null : Number(status)
}
