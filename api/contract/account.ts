/** A user's own account: its password, its email address, its sessions. */
import { z } from 'zod'
import { busy, email, newPassword, password, userReply } from './auth.ts'
import { route } from './route.ts'

export const changePasswordBody = z.object({ currentPassword: password, newPassword })
export const forgotPasswordBody = z.object({ email })
/** 256 bits: 43 characters of base64url. A malformed token gets the same answer as an unknown one. */
const token = z
  .string()
  .max(200)
  .meta({ examples: ['x3Jt0dWq4vK8mZ1yC6bN9sL2pR5uE7aG0hT4iF8oQwM'] })
export const resetPasswordBody = z.object({ token, password: newPassword })
export const changeEmailBody = z.object({ email, password })
export const confirmEmailBody = z.object({ token })

const wrongPassword = 'The password is wrong. No 401, which would mean that nobody is signed in'
const linkOver = "The link doesn't work any more"
const muchMail = 'The server has a lot of email to send at this moment'
const unsure = 'It was saved only in part, or nobody knows whether it was: the sentence says which'
const tooMany = 'Too many attempts'

export const accountRoutes = {
  changePassword: route({
    method: 'POST',
    path: '/api/auth/password',
    access: 'user',
    summary: 'Change the password: every other session ends, this one goes on under a new id',
    body: changePasswordBody,
    reply: userReply,
    status: 200,
    errors: {
      403: wrongPassword,
      409: 'It was changed, and meanwhile once more: sign in with the newest one',
      429: tooMany,
      503: `${busy}. ${unsure}`,
    },
  }),
  forgotPassword: route({
    method: 'POST',
    path: '/api/auth/forgot',
    access: 'public',
    summary: 'Ask for a link that sets a new password: the same answer whether or not the address has an account',
    body: forgotPasswordBody,
    reply: null,
    status: 204,
    errors: { 429: tooMany, 503: muchMail },
  }),
  resetPassword: route({
    method: 'POST',
    path: '/api/auth/reset',
    access: 'public',
    summary: 'Set a new password by such a link: every session ends, and nobody is signed in by it',
    body: resetPasswordBody,
    reply: null,
    status: 204,
    errors: { 403: linkOver, 429: tooMany, 503: `${busy}. ${unsure}` },
  }),
  changeEmail: route({
    method: 'POST',
    path: '/api/auth/email',
    access: 'user',
    beforeFactor: true,
    summary: 'Ask for another email address: nothing changes until the link that is sent there was opened',
    body: changeEmailBody,
    reply: null,
    status: 204,
    errors: { 403: wrongPassword, 429: tooMany, 503: `${muchMail}. ${busy}` },
  }),
  confirmEmail: route({
    method: 'POST',
    path: '/api/auth/email/confirm',
    access: 'public',
    summary: 'Take the new email address, by that link',
    body: confirmEmailBody,
    reply: z.object({ email: z.string() }),
    status: 200,
    errors: { 403: linkOver, 409: 'The email has an account already', 429: tooMany, 503: unsure },
  }),
  signOutEverywhere: route({
    method: 'POST',
    path: '/api/auth/sign-out-everywhere',
    access: 'user',
    beforeFactor: true,
    summary: 'End all sessions, this one too',
    reply: null,
    status: 204,
    errors: { 503: unsure },
  }),
}
