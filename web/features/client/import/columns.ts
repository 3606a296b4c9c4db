/** Which column of a file is which. */
import type { ImportColumn, ImportHeader, ImportPlaces } from '../../../../api/contract/index.ts'

export const expected = [
  'content',
  'platform',
  'account',
  'date',
  'time',
  'image',
] as const satisfies readonly ImportColumn[]

/** By the columns' names. */
export const guessOf = ({ columns }: ImportHeader): ImportPlaces =>
  Object.fromEntries(
    expected.flatMap((column) => {
      const place = columns[column]
      return place === null || place === undefined ? [] : [[column, place]]
    }),
  )

/** Each post needs a text, and an account or a network. */
export const isEnough = ({ content, platform, account }: ImportPlaces): boolean =>
  content !== undefined && (platform !== undefined || account !== undefined)

/** The columns that nothing is taken from. */
export const ignoredIn = (header: ImportHeader['header'], places: ImportPlaces): readonly string[] => {
  const taken = new Set(Object.values(places))
  return header.flatMap(({ name, example }, at) => (taken.has(at) || (name === '' && example === '') ? [] : [name]))
}

/** `content:2,platform:0`, as the server takes it. */
export const placesText = (places: ImportPlaces): string =>
  expected.flatMap((column) => (places[column] === undefined ? [] : [`${column}:${places[column]}`])).join(',')
