const maxLength = 60

/** A cell's text, shortened to fit a sentence. */
export const quoted = (cell: string): string =>
  cell.length <= maxLength ? cell : `${cell.slice(0, maxLength).toWellFormed()}…`
