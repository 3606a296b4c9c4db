/**
 * Names a browser for its user by its `User-Agent`. Looks for a few words and reads no version, because browsers freeze
 * those. A name is for recognition only: any program can send any header.
 */

/** The first word that occurs decides, because browsers also name the ones that they resemble. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Vivaldi/', 'Vivaldi'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['HeadlessChrome/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['Macintosh', 'Mac'],
  ['Linux', 'Linux'],
] as const

const maxRead = 400

/** Like `Firefox on Windows`. */
export function browserNameOf(userAgent: string): string {
  const text = userAgent.slice(0, maxRead)
  const find = (words: readonly (readonly [string, string])[]) => words.find(([word]) => text.includes(word))?.[1]
  const browser = find(browsers)
  const system = find(systems)
  if (browser === undefined) return system === undefined ? 'Another program' : `A program on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}
