import { readFile } from 'node:fs/promises'
import { z } from 'zod'

/** Beside the sources, and one folder further from what was built of them. */
const places = ['../package.json', '../../package.json']
const described = z.object({ name: z.literal('socialai'), version: z.string() })

/** Which version of the product this is. */
export async function productVersion(): Promise<string> {
  for (const place of places) {
    const text = await readFile(new URL(place, import.meta.url), 'utf8').catch(() => null)
    if (text !== null) return described.parse(JSON.parse(text)).version
  }
  throw new Error('The package.json of this program is not there')
}
