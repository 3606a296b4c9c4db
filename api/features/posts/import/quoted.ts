const maxLength = 60

/** What a cell says, short enough for a sentence. */
export const quoted = (cell: string): string =>
  cell.length <= maxLength ? cell : `${cell.slice(0, maxLength).toWellFormed()}…`
