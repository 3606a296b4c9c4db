import { z } from 'zod'
import { scheduleChangesSchema, scheduleRulesSchema } from '../../domain/client/commands.ts'
import { idSchema, instantSchema } from '../../domain/core/values.ts'
import { postStatusSchema } from '../../domain/post/commands.ts'
import { scheduleView } from '../../projections/schedules/view.ts'
import { route } from './route.ts'

/** The limit per week: fifty times on each day. */
const maxSlots = 350

const byId = z.object({ id: idSchema })
const ended = 'The trial or subscription has ended'

/** A future slot of a schedule, and its post. */
export const scheduleSlot = z.object({
  at: z.string(),
  /**
   * `planned`: the schedule's own post; `taken`: another post of the account; `failed`: it could not be written;
   * `deleted` and `moved-away`: a user did that with its post, so no other is written.
   */
  state: z.enum(['free', 'planned', 'taken', 'failed', 'deleted', 'moved-away']),
  postId: z.string().optional(),
  /** The post's status. */
  status: postStatusSchema.optional(),
  /** Why it could not be written. */
  cause: z.string().optional(),
  /** The time to which a user moved its post. */
  movedTo: z.string().optional(),
  /** The clocks go forward over the wanted time. */
  moved: z.literal(true).optional(),
})
export type ScheduleSlot = z.infer<typeof scheduleSlot>

export const scheduleReply = scheduleView.omit({ agencyId: true }).extend({
  /** The next seven. */
  slots: z.array(scheduleSlot),
  /** The first fifty slots of the coming week that could not be written, with the reason. */
  failures: z.array(z.object({ at: z.string(), cause: z.string() })),
  /** The number of its future posts that no user has edited: a change or removal deletes them. */
  untouchedPosts: z.int(),
})
export type Schedule = z.infer<typeof scheduleReply>

export const newScheduleBody = scheduleRulesSchema.extend({ socialAccountId: idSchema })

export const scheduleRoutes = {
  listSchedules: route({
    method: 'GET',
    path: '/api/clients/{id}/schedules',
    access: 'agency',
    needs: 'viewer',
    client: { param: 'id' },
    summary: "A client's posting schedules, each with its next seven slots",
    params: byId,
    reply: z.array(scheduleReply),
    status: 200,
  }),
  getNextSlot: route({
    method: 'GET',
    path: '/api/social-accounts/{id}/next-slot',
    access: 'agency',
    needs: 'viewer',
    client: 'loaded',
    summary:
      'The next free slot of a social account: what a post without a time of its own, or with one that has passed, would get now',
    params: byId,
    reply: z.object({ at: z.string() }),
    status: 200,
  }),
  addSchedule: route({
    method: 'POST',
    path: '/api/clients/{id}/schedules',
    access: 'agency',
    needs: 'manager',
    client: { param: 'id' },
    summary: 'Let a social account post by a schedule: posts wait for review at its times',
    params: byId,
    body: newScheduleBody,
    reply: scheduleReply,
    status: 201,
    errors: { 402: ended, 409: 'The account has a posting schedule already' },
    idempotent: true,
  }),
  previewSchedule: route({
    method: 'POST',
    path: '/api/clients/{id}/schedules/preview',
    access: 'agency',
    needs: 'manager',
    client: { param: 'id' },
    summary: 'The next seven slots that such rules would have; nothing is saved',
    params: byId,
    body: newScheduleBody,
    reply: z.array(scheduleSlot),
    status: 200,
  }),
  changeSchedule: route({
    method: 'PATCH',
    path: '/api/schedules/{id}',
    access: 'agency',
    needs: 'manager',
    client: 'loaded',
    summary: 'Change, pause or resume a posting schedule; absent fields stay',
    params: byId,
    body: scheduleChangesSchema,
    reply: scheduleReply,
    status: 200,
    errors: { 402: ended, 412: 'The rules have changed since the revision in If-Match' },
  }),
  removeSchedule: route({
    method: 'DELETE',
    path: '/api/schedules/{id}',
    access: 'agency',
    needs: 'manager',
    client: 'loaded',
    summary: 'Remove a posting schedule; its posts that nobody has touched go with it',
    params: byId,
    reply: null,
    status: 204,
  }),
  retrySlots: route({
    method: 'POST',
    path: '/api/schedules/{id}/slots/retry',
    access: 'agency',
    needs: 'manager',
    client: 'loaded',
    summary: 'Have the posts of slots written that failed',
    params: byId,
    body: z.object({
      slots: z.array(instantSchema).min(1, 'Name at least one time').max(maxSlots, `At most ${maxSlots} at once`),
    }),
    reply: scheduleReply,
    status: 200,
    errors: { 402: ended },
  }),
}
