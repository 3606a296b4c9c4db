import { readFile } from 'node:fs/promises'
import { z } from 'zod'

const described = z.object({ name: z.literal('socialai'), version: z.string() })

/** The product's version, from the nearest package.json that is ours: the same for the sources and the build. */
export async function productVersion(): Promise<string> {
  for (let folder = new URL('..', import.meta.url); ; folder = new URL('..', folder)) {
    const text = await readFile(new URL('package.json', folder), 'utf8').catch(() => 'null')
    const found = described.safeParse(JSON.parse(text))
    if (found.success) return found.data.version
    if (folder.pathname === '/') throw new Error('The package.json of this program is not there')
  }
}
