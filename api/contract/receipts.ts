/** Receipts of what a client's people said about a post. */
import { z } from 'zod'
import { idSchema } from '../../domain/core/values.ts'
import { verdicts, verifications } from '../../domain/post/commands.ts'
import { route } from './route.ts'

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
}
