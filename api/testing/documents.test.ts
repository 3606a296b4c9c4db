/** The documents: README stays short, and each link leads somewhere. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const documents = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...(await readdir(join(root, 'docs'), { recursive: true }))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** As GitHub makes them of headings. */
const anchorsOf = (text: string) =>
  new Set(
    Array.from(text.matchAll(/^#{1,6} (.+)$/gm), ([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )

const linksIn = (text: string) => Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link)

function faultOf(document: string, link: string): string | null {
  if (/^https?:/.test(link)) return null
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? document : join(dirname(document), path)
  if (!existsSync(join(root, target))) return `${document}: ${link} leads to no file`
  if (anchor === undefined) return null
  return anchorsOf(readFileSync(join(root, target), 'utf8')).has(anchor)
    ? null
    : `${document}: ${link} has no such heading`
}

describe('Documents', () => {
  it.each(documents)('include %s, without a broken link', (document) => {
    const links = linksIn(readFileSync(join(root, document), 'utf8'))
    expect(links.map((link) => faultOf(document, link)).filter((fault) => fault !== null)).toEqual([])
  })
  it('are checked by a test that finds a broken link', () => {
    expect(faultOf('README.md', 'docs/none.md')).toBe('README.md: docs/none.md leads to no file')
    expect(faultOf('README.md', 'docs/audit.md#none')).toBe('README.md: docs/audit.md#none has no such heading')
  })
  it('include a README.md of at most 8,000 bytes, with a picture of less than 200 kB', () => {
    expect(statSync(join(root, 'README.md')).size).toBeLessThanOrEqual(8_000)
    expect(statSync(join(root, 'docs/calendar.png')).size).toBeLessThan(200_000)
  })
})
