import { z } from 'zod'
import { emailAddress } from '../../domain/core/documented.ts'
import { idSchema } from '../../domain/core/values.ts'
import { hasVisible } from '../../domain/core/visible.ts'
import { route } from './route.ts'

/** As stored: trimmed and in lower case. */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .meta(emailAddress)
  .pipe(z.email('Enter a valid email').max(254, 'Enter a valid email'))

const changedName = (label: string, example: string) =>
  z
    .string()
    .trim()
    .max(120, `${label} must be 120 characters or fewer`)
    .meta({ examples: [example] })
    .transform((name) => (hasVisible(name) ? name : ''))
    .optional()
const personName = (label: string, example: string) =>
  changedName(label, example).transform((name) => name || undefined)

/** A password to check. */
export const password = z
  .string()
  .min(1, 'Password is required')
  .max(1024, 'Password must be 1,024 characters or fewer')
  .meta({ examples: ['correct horse battery staple'] })
/** A password to set. */
export const newPassword = z
  .string()
  .min(8, 'Password must be at least 8 characters')
  .max(1024, 'Password must be 1,024 characters or fewer')
  .meta({ examples: ['correct horse battery staple'] })

export const loginBody = z.object({ email, password })

/** The agency of the page over which a user signs in again. Ignored unless the user is a member of it. */
export const pageAgency = { agencyId: idSchema.optional() }

export const registerBody = z.object({
  email,
  password: newPassword,
  firstName: personName('First name', 'Ada'),
  lastName: personName('Last name', 'Lovelace'),
})

/** Absent: unchanged. Empty: without that name. */
export const ownNameBody = z.object({
  firstName: changedName('First name', 'Ada'),
  lastName: changedName('Last name', 'Lovelace'),
})

export const userReply = z.object({
  id: z.string(),
  email: z.string(),
  /** Whether a link that was sent to the address has been opened. */
  emailConfirmed: z.boolean(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  profileImageUrl: z.string().nullable(),
  createdAt: z.string(),
})
export type User = z.infer<typeof userReply>

/** Every password check goes through a queue of limited length. */
export const busy = 'Too many passwords are being checked or set at this moment, by everybody or by whoever asks'

export const authRoutes = {
  getUser: route({
    method: 'GET',
    path: '/api/auth/user',
    access: 'user',
    beforeFactor: true,
    summary: 'The signed-in user',
    reply: userReply,
    status: 200,
  }),
  changeOwnName: route({
    method: 'PATCH',
    path: '/api/auth/user',
    access: 'user',
    summary: "Set the own name: histories and audits show each person's name of today",
    body: ownNameBody,
    reply: userReply,
    status: 200,
  }),
  login: route({
    method: 'POST',
    path: '/api/auth/login',
    access: 'public',
    summary: 'Sign in',
    body: loginBody.extend(pageAgency),
    reply: userReply,
    status: 200,
    errors: { 401: 'Wrong email or password: the same answer for both', 429: 'Too many attempts', 503: busy },
  }),
  register: route({
    method: 'POST',
    path: '/api/auth/register',
    access: 'public',
    summary: 'Create an account and sign in',
    body: registerBody,
    reply: userReply,
    status: 201,
    errors: { 409: 'The email has an account already', 429: 'Too many attempts', 503: busy },
  }),
  logout: route({
    method: 'GET',
    path: '/api/logout',
    access: 'public',
    summary: 'Sign out and go to the landing page',
    reply: null,
    status: 302,
  }),
}
