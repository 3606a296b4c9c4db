/** Imports posts from a CSV file: first a preview of each row's outcome, then the posts. */
import { z } from 'zod'
import { idSchema, platformSchema } from '../../domain/core/values.ts'
import { route } from './route.ts'

export const maxImportRows = 1_000
export const maxImportBytes = 2 * 1024 * 1024

/** `ready`: can be written; `written`: was written now; `known`: imported before; `refused`: the sentence says why. */
export const importVerdicts = ['ready', 'written', 'known', 'refused'] as const

const importRow = z.object({
  /** The file's line where the row starts; the first line is the header. */
  line: z.int(),
  verdict: z.enum(importVerdicts),
  /** The reason for a refusal, or a warning. */
  sentence: z.string().nullable(),
  /** The beginning of the text. */
  content: z.string(),
  platform: platformSchema.nullable(),
  accountName: z.string().nullable(),
  scheduledFor: z.string().nullable(),
  imageUrl: z.string().nullable(),
  /** Set when the row became a post. */
  postId: z.string().nullable(),
})
export type ImportRow = z.infer<typeof importRow>

export const importReply = z.object({
  /** The number of rows in the file. */
  total: z.int(),
  /** The processed rows: `count` of them, from `from` on. */
  rows: z.array(importRow),
})
export type ImportReply = z.infer<typeof importReply>

const wholeNumber = z
  .string()
  .regex(/^\d{1,6}$/, 'Enter a whole number')
  .meta({ examples: ['100'] })
  .transform(Number)

export const importRoutes = {
  importPosts: route({
    method: 'POST',
    path: '/api/clients/{id}/posts/import',
    access: 'agency',
    summary:
      'Posts from a CSV file (content, platform or account, date, time, image). A row that is sent twice is written once; a bad row stops no other',
    params: z.object({ id: idSchema }),
    query: z.object({
      /** Returns each row's outcome without writing anything. */
      dryRun: z
        .enum(['true', 'false'])
        .default('false')
        .transform((word) => word === 'true'),
      status: z.enum(['draft', 'pending']).default('draft'),
      /** A batch of the rows, so that the browser can show progress. */
      from: wholeNumber.optional(),
      count: wholeNumber.optional(),
    }),
    raw: {
      type: 'text/csv',
      maxBytes: maxImportBytes,
      example: 'content,platform,date,time\nAutumn breads are back,facebook,2030-01-15,09:00\n',
    },
    reply: importReply,
    status: 200,
    errors: { 402: 'The trial or subscription has ended', 415: 'Not a CSV file' },
  }),
}
