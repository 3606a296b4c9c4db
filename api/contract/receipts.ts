/** Receipts of what a client's people said about a post. */
import { z } from 'zod'
import { idSchema } from '../../domain/core/values.ts'
import { verdicts, verifications } from '../../domain/post/commands.ts'
import { closed, linkAsked } from './review-links.ts'
import { route } from './route.ts'

/**
 * What is signed. No name and no word of a person: these are in records and can be erased. `mediaHash` is the SHA-256
 * of the image's bytes, `approvalHash` covers text, image and profile.
 */
export const receiptSchema = z.object({
  version: z.literal(1),
  agencyId: z.string(),
  clientId: z.string(),
  postId: z.string(),
  event: z.object({ id: z.string(), type: z.string(), revision: z.int(), hash: z.string() }),
  verdict: z.enum([...verdicts, 'hold']),
  /** The name of the fulfilled step; null where the verdict fulfilled none. */
  step: z.string().nullable(),
  /** The number of the submission that was seen. */
  submission: z.int(),
  approvalHash: z.string().nullable(),
  contentHash: z.string(),
  mediaHash: z.string().nullable(),
  reviewerId: z.string(),
  linkId: z.string(),
  verified: z.enum(verifications),
  at: z.string(),
  /** The steps of the same submission that were skipped until then, with the reasons. */
  skipped: z.array(z.object({ stepId: z.string(), reason: z.string(), at: z.string() })),
  /** The newest signed checkpoint of the log; it covers the event if it is as late. */
  checkpoint: z.string().nullable(),
})
export type ReceiptStatement = z.output<typeof receiptSchema>

const receipt = z.object({
  /** Of the event. */
  id: z.string(),
  verdict: z.enum([...verdicts, 'hold']),
  /** The fulfilled step; null where the verdict fulfilled none. */
  step: z.string().nullable(),
  /** The number of the submission that was seen. */
  submission: z.int(),
  /** `code`: a mailed code proved who acted; `named`: the person's word alone. */
  verified: z.enum(verifications),
  at: z.string(),
  /** Null once the reviewer was erased. */
  reviewer: z.object({ id: z.string(), name: z.string().nullable() }),
  /** The statement as a compact JWS, which has no name: `npm run audit -- verify` takes it. */
  signed: z.string(),
})
export type Receipt = z.infer<typeof receipt>

export const receiptRoutes = {
  getReceipts: route({
    method: 'GET',
    path: '/api/posts/{id}/receipts',
    access: 'agency',
    needs: 'viewer',
    client: 'loaded',
    summary: "Signed receipts of what the client's people said about a post, the newest 100",
    params: z.object({ id: idSchema }),
    reply: z.array(receipt),
    status: 200,
  }),
  listOwnReceipts: route({
    method: 'POST',
    path: '/api/reviews/receipts',
    access: 'public',
    summary: 'Signed receipts of what the person behind a review link said about a post, the newest 100',
    body: z.object({ ...linkAsked, postId: idSchema }),
    reply: z.array(receipt),
    status: 200,
    errors: { 403: closed, 404: 'The link is unknown (`link-unknown`), or shows no such post' },
  }),
}
