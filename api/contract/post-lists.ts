/** What a list of posts may be limited to. */
import { z } from 'zod'
import { idSchema, instantSchema, platforms } from '../../domain/core/values.ts'
import { wordsOf } from '../../domain/core/words.ts'
import { postStatuses } from '../../domain/post/commands.ts'
import { postOrigins } from '../../projections/posts/view.ts'

/** Items of a page at most. */
export const maxPageItems = 1_000
export const maxSearchCharacters = 200
export const maxSearchWords = 8

/** One or several names with commas in between; each is at most once in the result. */
const listOf = <Name extends string>(names: readonly Name[]) => {
  const one = `(?:${names.join('|')})`
  const isName = (text: string): text is Name => names.some((name) => name === text)
  return z
    .string()
    .refine(
      (text) => {
        const parts = text.split(',', names.length + 1)
        return parts.length <= names.length && parts.every(isName)
      },
      `Send one or several of ${names.join(', ')}, with commas in between`,
    )
    .meta({ pattern: `^${one}(?:,${one}){0,${names.length - 1}}$`, examples: [names.slice(0, 2).join(',')] })
    .transform((text) => [...new Set(text.split(',').filter(isName))])
}

/** Words of a search; each must begin a word of the post's text. */
const searchText = z
  .string()
  .max(maxSearchCharacters, `Search for at most ${maxSearchCharacters} characters`)
  .superRefine((text, context) => {
    const { length } = wordsOf(text)
    if (length === 0) context.addIssue('Search for at least one letter or digit')
    if (length > maxSearchWords) context.addIssue(`Search for at most ${maxSearchWords} words`)
  })
  .meta({
    description:
      'Each word must begin a word of the text; case and accents do not matter. Words of any script are taken',
    pattern: `^[A-Za-z0-9]{1,20}(?: [A-Za-z0-9]{1,20}){0,${maxSearchWords - 1}}$`,
    examples: ['straße lem'],
  })

export const listFilters = {
  limit: z
    .string()
    .regex(/^(?:[1-9][0-9]{0,2}|1000)$/, `Send a number from 1 to ${maxPageItems}`)
    .meta({ description: 'Items of a page at most', examples: ['50'] })
    .transform(Number)
    .optional(),
  status: listOf(postStatuses).optional(),
  platform: listOf(platforms).optional(),
  q: searchText.optional(),
  from: instantSchema.optional(),
  /** Exclusive. */
  to: instantSchema.optional(),
  /** Newest first without it. */
  sort: z.enum(['planned', 'oldest']).optional(),
  /** Posts that are assigned to oneself, or to a member. */
  assigned: z.union([z.literal('me'), idSchema], 'Send me, or the id of a member').optional(),
  waits: z
    .enum(['me', 'client', 'nobody'])
    .meta({
      description: 'Pending posts that wait for the own approval or the client, or whose open step has nobody left',
    })
    .optional(),
  origin: z
    .enum(postOrigins)
    .meta({ description: 'Written by a user, by a posting schedule, or taken from an imported file' })
    .optional(),
}

export const postCounts = z.object({
  byStatus: z.record(z.enum(postStatuses), z.int()),
  total: z.int(),
})
export type PostCounts = z.infer<typeof postCounts>
