/** The Graph API's response shapes. */
import { z } from 'zod'

export const keys = z.object({ access_token: z.string().min(1) })
export const created = z.object({ id: z.string().min(1) })
export const anything = z.unknown()

const paging = z
  .object({ cursors: z.object({ after: z.string().optional() }).optional(), next: z.string().optional() })
  .optional()
export const list = <T extends z.ZodType>(entry: T) => z.object({ data: z.array(entry), paging })

/** A Page that the user may view but not post to has no token. */
export const page = z.object({ id: z.string().min(1), name: z.string(), access_token: z.string().optional() })
export const business = z.object({ id: z.string().min(1) })
export const feedPost = z.object({
  id: z.string(),
  message: z.string().optional(),
  created_time: z.string(),
  permalink_url: z.string().optional(),
})
export const permalink = z.object({ permalink_url: z.string() })

/** The value is a number, or counts by name (reactions). Newer Instagram metrics have a `total_value` instead. */
const amount = z.union([z.number(), z.record(z.string(), z.number())])
export const insights = z.object({
  data: z.array(
    z.object({
      values: z.array(z.object({ value: amount })).optional(),
      total_value: z.object({ value: amount }).optional(),
    }),
  ),
})
export const comments = z.object({ comments: z.object({ summary: z.object({ total_count: z.int() }) }).optional() })
export const shares = z.object({ shares: z.object({ count: z.int() }).optional() })

/** The cursor of the next page. `next` itself is a URL with a token in it, so only its presence is checked. */
export function after(page: { paging?: z.output<typeof paging> }): string | null {
  return page.paging?.next === undefined ? null : (page.paging.cursors?.after ?? null)
}

/** One metric's figure; null when the response has none. */
export function figureOf({ data: [metric] }: z.output<typeof insights>): number | null {
  const value = metric?.total_value?.value ?? metric?.values?.[0]?.value
  if (value === undefined) return null
  return typeof value === 'number' ? value : Object.values(value).reduce((sum, count) => sum + count, 0)
}
