/** @module-tag long */
import { describe, expect, it } from 'vitest'
import { besideOthersMs, fastestMs, stopwatch } from '../../../domain/test/fastest.ts'
import { rewrites } from '../../contract/index.ts'
import { answerReader, contentOf } from './answer.ts'
import { inventedIn } from './invented.ts'
import { judged } from './judge.ts'
import { placeholdersIn } from './placeholders.ts'
import type { Brief } from './port.ts'
import { promptFor } from './prompt.ts'
import { rewrittenByTemplate } from './template-rewrite.ts'
import { createTemplateWriter } from './template.ts'

const maxMs = besideOthersMs(50)
const longest = 65_000
/**
 * Texts that made one of the writer's expressions or loops quadratic, or were built to do so; the dates were
 * exponential.
 */
const pieces = [
  'a',
  'A. ',
  'A! b? ',
  '-',
  'a+',
  'a@',
  'a@b.co ',
  'b.co ',
  'x@a.b',
  'http://a ',
  'a://',
  'www.',
  'www.a ',
  '#a ',
  ' #a',
  '\t#0',
  ' ',
  '\n',
  '[',
  '[a',
  '[a]',
  '{{',
  '{{a}}',
  '{a',
  '<a',
  '<a>',
  '1',
  '1,',
  '1.',
  '1 ',
  '(1',
  '1\u00a0',
  '$1 ',
  '1 $',
  '1 USD ',
  '1%',
  'US$',
  '030 1234567 ',
  '24 1- -',
  '-1-1-1500',
  '1500-',
  '.',
  ',',
  '!',
  '/',
  '"',
  '\\',
  'é',
  '語',
  '\u0301',
  '\u0301\u0316',
  '\ufdfa',
  '☕',
] as const
const brief: Brief = {
  client: { name: 'Blue Cup', description: null, industry: null, targetAudience: null, toneOfVoice: null },
  platform: 'facebook',
  topic: 'x',
  tone: 'plain',
  recent: [],
}
const within = (run: () => unknown) => expect(fastestMs(run, maxMs)).toBeLessThan(maxMs)

describe.each(pieces)('65,000 characters of %j', (piece) => {
  const text = piece.repeat(Math.floor(longest / piece.length))
  const different = Array.from({ length: 4_000 }, (_, index) => `${piece}${index}`)
    .join(' ')
    .slice(0, longest)

  it('are checked for invented claims and placeholders within 50 ms, on both sides', () => {
    for (const each of [text, different]) {
      within(() => inventedIn(each, ['Blue Cup']))
      within(() => inventedIn('Blue Cup', [each, each]))
      within(() => inventedIn(each, [each]))
      within(() => placeholdersIn(each, [each.toLowerCase()]))
    }
  })

  it('are rewritten without a model within 50 ms', async () => {
    for (const how of rewrites)
      within(() => rewrittenByTemplate('facebook', { text, how }, 'plain', ([first]) => first))
    const writer = createTemplateWriter({ random: () => 0.5 })
    const client = { name: text, description: text, industry: text, targetAudience: text, toneOfVoice: text }
    const elapsed = stopwatch()
    await writer.write(
      { ...brief, client, topic: text, recent: Array.from({ length: 10 }, () => text) },
      new AbortController().signal,
    )
    // One run only, with texts longer than any client's: it shows that no step is quadratic.
    expect(elapsed()).toBeLessThan(1_000)
  })

  it('are sent to a model and read from its answer within 50 ms', () => {
    within(() => promptFor({ ...brief, topic: text, rewrite: { text, how: 'shorter' } }))
    const answer = JSON.stringify({ content: text })
    within(() => contentOf(answer))
    within(() => judged(brief, { text: answer, isCut: false }))
    within(() => answerReader()(answer))
    within(() => answerReader()(`"content"${text}`))
  })
})

it.each(['[', '{', '<'])('A %s that is never closed before 65,000 letters is skipped within 50 ms', (bracket) => {
  within(() => placeholdersIn(bracket + 'a'.repeat(longest), []))
  within(() => placeholdersIn(`${bracket}${'a'.repeat(longest)}\n`, []))
})

it('Dates that can be read in many ways are distinguished from phone numbers at once', () => {
  within(() => inventedIn('x', [`4 6.${'-24 1- '.repeat(2_000)}-99999`]))
  within(() => inventedIn(`1500${'-1-1-1500'.repeat(2_000)}-99999`, []))
})
