import { describe, expect, it } from 'vitest'
import { textLength, textLimits } from '../../../domain/core/text-limits.ts'
import { platforms } from '../../../domain/core/values.ts'
import type { Brief } from './port.ts'
import { createTemplateWriter } from './template.ts'

/** A deterministic random number generator. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const bakery: Brief = {
  client: {
    name: 'Northwind Bakery',
    description: 'We bake sourdough bread every morning. Our ovens are heated with wood.',
    industry: 'Food & Beverage',
    targetAudience: 'families in the neighbourhood',
    toneOfVoice: 'warm',
  },
  platform: 'facebook',
  topic: 'autumn breads',
  tone: 'warm',
  recent: [],
}
const bare = { name: 'Ok', description: null, industry: null, targetAudience: null, toneOfVoice: null }
const signal = new AbortController().signal

const write = async (brief: Partial<Brief>, seed = 1) =>
  (await createTemplateWriter({ random: seeded(seed) }).write({ ...bakery, ...brief }, signal)).content

describe('the template writer', () => {
  it('reports that no model wrote the text', async () => {
    const draft = await createTemplateWriter({ random: seeded(1) }).write(bakery, signal)
    expect(draft).toMatchObject({ source: 'template', model: null, tokens: null })
  })

  it('writes the same for the same random numbers, and varies with others', async () => {
    expect(await write({}, 7)).toBe(await write({}, 7))
    const texts = await Promise.all(Array.from({ length: 40 }, (_, seed) => write({}, seed)))
    expect(new Set(texts).size).toBeGreaterThan(12)
  })

  it('mentions the requested topic', async () => {
    for (let seed = 0; seed < 40; seed++) expect(await write({}, seed)).toMatch(/autumn breads/i)
  })

  it('never writes the word regenerate, and writes something else each time', async () => {
    let recent: string[] = []
    for (let round = 0; round < 12; round++) {
      const content = await write({ topic: 'regenerate', recent }, round)
      expect(content).not.toMatch(/regenerate/i)
      expect(recent).not.toContain(content)
      recent = [content, ...recent]
    }
  })

  it.each(platforms)('stays within the limit of %s for any input', { tags: 'long' }, async (platform) => {
    const long = 'A sentence that goes on for quite a while and then some more. '.repeat(30)
    const wide = '面包'.repeat(400)
    const clients = [
      bakery.client,
      bare,
      { ...bakery.client, name: 'N'.repeat(120), description: long, targetAudience: long.slice(0, 500) },
    ]
    for (const client of clients) {
      for (const topic of ['regenerate', 'bread', long, wide, '🥐'.repeat(300)]) {
        for (let seed = 0; seed < 8; seed++) {
          const content = await write({ client, platform, topic }, seed)
          expect(content.trim()).not.toBe('')
          expect(textLength(platform, content)).toBeLessThanOrEqual(textLimits[platform])
        }
      }
    }
  })

  it('takes hashtags from the given words alone, and invents no link, price or number [P17.3]', async () => {
    const given = ['AutumnBreads', 'Food', 'Beverage', 'NorthwindBakery']
    for (const platform of platforms) {
      for (let seed = 0; seed < 20; seed++) {
        const content = await write({ platform }, seed)
        for (const [, tag] of content.matchAll(/#([\p{L}\p{N}]+)/gu)) expect(given).toContain(tag)
        expect(content).not.toMatch(/https?:|www\.|[$€£%]|\bfree\b|discount|\bbest\b/i)
        expect(content.replace(/^[123]\. /gm, '')).not.toMatch(/\d/)
      }
    }
  })

  it('writes a clean text from nothing but a name', async () => {
    for (let seed = 0; seed < 30; seed++) {
      const content = await write({ client: bare, topic: 'regenerate', tone: 'professional' }, seed)
      expect(content).not.toMatch(/null|undefined| {2}|\s$/)
      expect(content).not.toMatch(/\p{Extended_Pictographic}/u)
    }
  })

  it('stops when the request is aborted', async () => {
    const writer = createTemplateWriter({ random: seeded(1) })
    await expect(writer.write(bakery, AbortSignal.abort())).rejects.toThrow()
  })
})
