/** Approval step by step: the policy of a client, and skipping a step. */
import { z } from 'zod'
import {
  answeredPolicySchema,
  approvalPolicySchema,
  reassignedSchema,
  skipReasonSchema,
} from '../../domain/core/approval-policy.ts'
import { idSchema } from '../../domain/core/values.ts'
import { postReply } from './post-schemas.ts'
import { route } from './route.ts'

const byId = z.object({ id: idSchema })
const ended = 'The trial or subscription has ended'

export const approvalRoutes = {
  getApprovalPolicy: route({
    method: 'GET',
    path: '/api/clients/{id}/approval-policy',
    access: 'agency',
    needs: 'manager',
    client: { param: 'id' },
    summary: "A client's approval policy; without steps, its posts need one approval",
    params: byId,
    reply: answeredPolicySchema,
    status: 200,
  }),
  setApprovalPolicy: route({
    method: 'PATCH',
    path: '/api/clients/{id}/approval-policy',
    access: 'agency',
    needs: 'admin',
    client: { param: 'id' },
    summary:
      "Set a client's whole approval policy, for posts that are submitted from now on. The caller gives each step a UUID of its own",
    params: byId,
    body: approvalPolicySchema,
    reply: answeredPolicySchema,
    status: 200,
    errors: { 409: "A chosen person doesn't approve posts of this client, or two steps have one id" },
  }),
  skipStep: route({
    method: 'POST',
    path: '/api/posts/{id}/steps/{stepId}/skip',
    access: 'agency',
    needs: 'admin',
    client: 'loaded',
    summary: 'Skip the open approval step of a post, with a reason. The last step approves the post',
    params: byId.extend({ stepId: idSchema }),
    body: z.object({ reason: skipReasonSchema }),
    reply: postReply,
    status: 200,
    errors: { 402: ended, 409: 'Another step is open, or the post is not pending' },
  }),
  reassignStep: route({
    method: 'POST',
    path: '/api/posts/{id}/steps/{stepId}/reassign',
    access: 'agency',
    needs: 'admin',
    client: 'loaded',
    summary:
      "Give the open approval step of a post to other people, with a reason. The client's step stays the client's",
    params: byId.extend({ stepId: idSchema }),
    body: z.object({ memberIds: reassignedSchema, reason: skipReasonSchema }),
    reply: postReply,
    status: 200,
    errors: {
      402: ended,
      409: "Another step is open, the post is not pending, or a chosen person doesn't approve posts of this client",
    },
  }),
}
