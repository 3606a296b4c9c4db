/** The browsers in which a user is signed in. */
import { z } from 'zod'
import { route } from './route.ts'

export const signInWays = ['password', 'passkey', 'oidc'] as const
export type SignInWay = (typeof signInWays)[number]

export const sessionReply = z.object({
  id: z.string(),
  /** Like `Firefox on Windows`; null for a session from before this was recorded. */
  browser: z.string().nullable(),
  /** How the user signed in; null for a session from before this was recorded. */
  way: z.enum(signInWays).nullable(),
  startedAt: z.string(),
  /** Exact to an hour. */
  usedAt: z.string(),
  /** Whether the request was sent in it. */
  isThis: z.boolean(),
})
export type SessionShown = z.infer<typeof sessionReply>

export const sessionRoutes = {
  listSessions: route({
    method: 'GET',
    path: '/api/auth/sessions',
    access: 'user',
    beforeFactor: true,
    summary: "The user's own sessions, the last used first: at most 50",
    reply: z.array(sessionReply),
    status: 200,
  }),
  endSession: route({
    method: 'DELETE',
    path: '/api/auth/sessions/{id}',
    access: 'user',
    beforeFactor: true,
    summary: 'End one of the own sessions',
    params: z.object({
      id: z
        .string()
        .max(100)
        .meta({ examples: ['x3Jt0dWq4vK8mZ1yC6bN9s'] }),
    }),
    reply: null,
    status: 204,
  }),
  endOtherSessions: route({
    method: 'DELETE',
    path: '/api/auth/sessions',
    access: 'user',
    beforeFactor: true,
    summary: 'End all other sessions; this one goes on',
    reply: null,
    status: 204,
  }),
}
