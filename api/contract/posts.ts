/** Routes of posts. */
import { z } from 'zod'
import { idSchema, instantSchema } from '../../domain/core/values.ts'
import { maxTextBodyBytes, route } from './route.ts'
import { listFilters, postCounts } from './post-lists.ts'
import {
  cursorSchema,
  newPostBody,
  newPostGroupBody,
  newTimeBody,
  postCard,
  postChangeBody,
  postGroupReply,
  postReply,
  resolutionBody,
} from './post-schemas.ts'

const byId = z.object({ id: idSchema })
/** A past instant whose state is requested. A past state offers no actions. */
const asOf = z.object({ asOf: instantSchema.optional() })
const refusedByRules = 'The rules refuse it in this state; the sentence says why'
const ended = 'The trial or subscription has ended'

export const postRoutes = {
  listPosts: route({
    method: 'GET',
    path: '/api/clients/{id}/posts',
    access: 'agency',
    summary:
      "A client's posts, newest first, page by page; with `view=card`, each with the beginning of its text; with `sort=planned`, the earliest planned time first, and those without one last. `status`, `platform`, `origin`, `q`, `from` and `to` limit the list, and `from` and `to` concern the time that it is sorted by; without `q` and `origin` `X-Total-Count` has their number. With `asOf`, all posts as they were then, from the log alone",
    params: byId,
    query: asOf.extend({
      view: z.enum(['card']).optional(),
      cursor: cursorSchema.optional(),
      ...listFilters,
    }),
    reply: z.array(postReply),
    views: { card: z.array(postCard) },
    paged: true,
    status: 200,
  }),
  countPosts: route({
    method: 'GET',
    path: '/api/clients/{id}/post-counts',
    access: 'agency',
    summary: "The numbers of a client's posts, by status",
    params: byId,
    reply: postCounts,
    status: 200,
  }),
  listAllPosts: route({
    method: 'GET',
    path: '/api/posts',
    access: 'agency',
    summary: "The posts of all the agency's clients: the same list, and the same limits, as of one client",
    query: z.object({ view: z.enum(['card']).optional(), cursor: cursorSchema.optional(), ...listFilters }),
    reply: z.array(postReply),
    views: { card: z.array(postCard) },
    paged: true,
    status: 200,
  }),
  countAllPosts: route({
    method: 'GET',
    path: '/api/post-counts',
    access: 'agency',
    summary: "The numbers of the posts of all the agency's clients, by status",
    reply: postCounts,
    status: 200,
  }),
  writePost: route({
    method: 'POST',
    path: '/api/clients/{id}/posts',
    access: 'agency',
    summary: 'Write a post: a draft, straight to review, or scheduled',
    params: byId,
    body: newPostBody,
    maxBodyBytes: maxTextBodyBytes,
    reply: postReply,
    status: 201,
    errors: { 402: ended, 409: refusedByRules },
    idempotent: true,
  }),
  writePostGroup: route({
    method: 'POST',
    path: '/api/clients/{id}/posts/group',
    access: 'agency',
    summary:
      'One text for several accounts of a client: a post for each, with its own result. An account that is named twice gets one post',
    params: byId,
    body: newPostGroupBody,
    maxBodyBytes: maxTextBodyBytes,
    reply: postGroupReply,
    status: 200,
    errors: { 402: ended },
    idempotent: true,
  }),
  getPost: route({
    method: 'GET',
    path: '/api/posts/{id}',
    access: 'agency',
    summary: 'One post; with `asOf`, as it was then, also one that was deleted since',
    params: byId,
    query: asOf,
    reply: postReply,
    status: 200,
  }),
  changePost: route({
    method: 'PATCH',
    path: '/api/posts/{id}',
    access: 'agency',
    summary: 'Change one thing of a post: its status, content, image or time',
    params: byId,
    body: postChangeBody,
    maxBodyBytes: maxTextBodyBytes,
    reply: postReply,
    status: 200,
    errors: { 402: ended, 409: refusedByRules, 412: 'The post has changed since the revision in If-Match' },
  }),
  deletePost: route({
    method: 'DELETE',
    path: '/api/posts/{id}',
    access: 'agency',
    summary: 'Delete a post; a copy on a network stays there',
    params: byId,
    reply: null,
    status: 204,
  }),
  resolvePost: route({
    method: 'POST',
    path: '/api/posts/{id}/resolve',
    access: 'agency',
    summary: 'Settle an unknown outcome: live at a URL, or not live',
    params: byId,
    body: resolutionBody,
    reply: postReply,
    status: 200,
    errors: { 409: refusedByRules },
  }),
  retryPost: route({
    method: 'POST',
    path: '/api/posts/{id}/retry',
    access: 'agency',
    summary: 'Try a failed post again, at once or at a new time',
    params: byId,
    body: newTimeBody,
    reply: postReply,
    status: 200,
    errors: { 402: ended, 409: refusedByRules },
  }),
  releasePost: route({
    method: 'POST',
    path: '/api/posts/{id}/release',
    access: 'agency',
    summary: 'Let a held post go, at once or at a new time',
    params: byId,
    body: newTimeBody,
    reply: postReply,
    status: 200,
    errors: { 402: ended, 409: refusedByRules },
  }),
  releaseHeldPosts: route({
    method: 'POST',
    path: '/api/posts/release-held',
    access: 'agency',
    summary:
      'After a payment, let go the posts that were held for want of it: those whose time has passed at once, in order',
    /** `left`: the number of posts still held, because one call is limited in time. */
    reply: z.object({ released: z.int(), left: z.int() }),
    status: 200,
    errors: { 402: ended },
  }),
}
