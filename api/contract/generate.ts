import { z } from 'zod'
import { notBlank } from '../../domain/core/documented.ts'
import { hasVisible } from '../../domain/core/visible.ts'
import { idSchema, platformSchema } from '../../domain/core/values.ts'
import { contentSchema } from '../../domain/post/commands.ts'
import { maxTextBodyBytes, route } from './route.ts'

/** Ways to rewrite an existing text. */
export const rewrites = ['shorter', 'longer', 'casual', 'call-to-action'] as const
export type Rewrite = (typeof rewrites)[number]

export const maxVariants = 3

export const generateBody = z
  .object({
    clientId: idSchema,
    platform: platformSchema,
    topic: z
      .string()
      .trim()
      .max(500, 'A topic has at most 500 characters')
      .meta({ examples: ['Autumn breads'] })
      .default(''),
    tone: z
      .string()
      .trim()
      .max(200, 'A tone has at most 200 characters')
      .meta({ examples: ['Friendly and plain'] })
      .optional(),
    /** The number of texts to choose from. */
    variants: z.int().min(1).max(maxVariants, `At most ${maxVariants} at once`).default(1),
    /** Asks for another version of this text; needs no topic. */
    rewrite: z.object({ text: contentSchema, how: z.enum(rewrites) }).optional(),
  })
  .refine(({ topic, rewrite }) => hasVisible(topic) || rewrite !== undefined, { path: ['topic'], message: 'Required' })
  .meta({ anyOf: [{ required: ['topic'], properties: { topic: notBlank } }, { required: ['rewrite'] }] })

const generatedText = z.object({ content: z.string(), generationId: z.string() })
/** `template`: no AI is connected, and the text is composed from the client's fields. */
const source = z.enum(['openai', 'template'])

export const generateReply = generatedText.extend({
  source,
  /** The other variants, if more than one was requested. */
  others: z.array(generatedText).optional(),
})

/** The number of the variant, from 0. */
const index = z.int()

/** The server-sent events of a generation, by event name. */
export const writingEvents = {
  /** The next part of the text. */
  delta: z.object({ index, text: z.string() }),
  /** Discards the text so far: it is written once more. */
  again: z.object({ index }),
  /** The complete text. */
  done: generatedText.extend({ index, source }),
  failed: z.object({ index, sentence: z.string() }),
} as const
export type WritingEvent = {
  [Name in keyof typeof writingEvents]: { readonly event: Name } & z.output<(typeof writingEvents)[Name]>
}[keyof typeof writingEvents]

export const generateRoutes = {
  generateContent: route({
    method: 'POST',
    path: '/api/generate-content',
    access: 'agency',
    needs: 'writer',
    client: { body: 'clientId' },
    summary: "Write a text in the client's voice, or another version of one",
    body: generateBody,
    maxBodyBytes: maxTextBodyBytes,
    reply: generateReply,
    events: z.union(Object.values(writingEvents)),
    status: 200,
    errors: {
      402: 'The trial or subscription has ended',
      404: "A client that is unknown, or another agency's",
      409: 'It can not be done with this text',
      429: 'Too many at once',
      503: 'The writer can not be reached, or wrote nothing that could be used',
    },
  }),
}
