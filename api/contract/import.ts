/** Imports posts from a CSV file: first a preview of each row's outcome, then the posts. */
import { z } from 'zod'
import { idSchema, platformSchema } from '../../domain/core/values.ts'
import { route } from './route.ts'

export const maxImportRows = 1_000
export const maxImportBytes = 2 * 1024 * 1024

/** What a file's columns may be. A text is needed, and a platform or an account. */
export const importColumns = ['content', 'platform', 'account', 'date', 'time', 'image'] as const
export type ImportColumn = (typeof importColumns)[number]
/** The limit on columns of the header. */
export const maxImportColumns = 100

/** For some columns, the place in the header, from 0. */
export type ImportPlaces = Readonly<Partial<Record<ImportColumn, number>>>

/** `content:2,platform:0`; null: not of this form. */
function placesIn(text: string): ImportPlaces | null {
  const parts = text.split(',', importColumns.length + 1).map((part) => part.split(':', 3))
  const places: Partial<Record<ImportColumn, number>> = {}
  for (const [name, place = '', more] of parts) {
    const column = importColumns.find((each) => each === name)
    const at = Number(place)
    const isPlace = String(at) === place && Number.isInteger(at) && at >= 0 && at < maxImportColumns
    if (column === undefined || column in places || more !== undefined || !isPlace) return null
    places[column] = at
  }
  return places
}

const chosenColumns = z
  .string()
  .refine((text) => placesIn(text) !== null, 'Send columns with their places, like content:2,platform:0')
  .meta({
    description: 'Which column of the file is which, by its place from 0; without it they are found by their names',
    pattern: '^content:[0-9],platform:[0-9]$',
    examples: ['content:0,platform:1'],
  })
  .transform((text) => placesIn(text) ?? {})

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

export const importHeader = z.object({
  /** The columns of the file, each with its first value. */
  header: z.array(z.object({ name: z.string(), example: z.string() })),
  /** Which of them is which, by its name; null: none of them. */
  columns: z.record(z.enum(importColumns), z.int().nullable()),
})
export type ImportHeader = z.infer<typeof importHeader>

const file = {
  type: 'text/csv',
  maxBytes: maxImportBytes,
  example: 'content,platform,date,time\nAutumn breads are back,facebook,2030-01-15,09:00\n',
} as const

const wholeNumber = z
  .string()
  .regex(/^\d{1,6}$/, 'Enter a whole number')
  .meta({ examples: ['100'] })
  .transform(Number)

export const importRoutes = {
  readImportHeader: route({
    method: 'POST',
    path: '/api/clients/{id}/posts/import/columns',
    access: 'agency',
    needs: 'writer',
    client: { param: 'id' },
    summary: 'The columns of a CSV file, and which of them is which by its name',
    params: z.object({ id: idSchema }),
    raw: file,
    reply: importHeader,
    status: 200,
    errors: { 415: 'Not a CSV file' },
  }),
  importPosts: route({
    method: 'POST',
    path: '/api/clients/{id}/posts/import',
    access: 'agency',
    needs: 'writer',
    client: { param: 'id' },
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
      columns: chosenColumns.optional(),
      /** A batch of the rows, so that the browser can show progress. */
      from: wholeNumber.optional(),
      count: wholeNumber.optional(),
    }),
    raw: file,
    reply: importReply,
    status: 200,
    errors: { 402: 'The trial or subscription has ended', 415: 'Not a CSV file' },
  }),
}
