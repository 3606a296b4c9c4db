/** Parses the address's search parameters by hand: a schema library would weigh more than the page. */
export type Search = Readonly<Record<string, unknown>>

export const text = (search: Search, name: string): string | undefined => {
  const value = search[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export const oneOf = <const T extends string>(search: Search, name: string, allowed: readonly T[]): T | undefined =>
  allowed.find((value) => value === search[name])

/** A day, `2025-01-05`. */
export const day = (search: Search, name: string): string | undefined => {
  const value = text(search, name)
  return value !== undefined && /^20\d\d-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
}
