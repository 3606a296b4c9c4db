/** The letters about an account. Each is asked for at once and composed when it is sent. */
import { z } from 'zod'
import type { Composers, NewLetter } from '../mail/letter-record.ts'
import type { MailedLinks } from './mailed-links.ts'
import { confirmMail, emailChangedMail, passwordChangedMail, resetMail, takenMail } from './mails.ts'
import { changesOf, type UserRecord, type Users } from './users.ts'

const reset = z.object({ email: z.string(), publicUrl: z.string() })
const change = z.object({
  userId: z.string(),
  /** The new address. */
  email: z.string(),
  publicUrl: z.string(),
  /** The account when the change was asked for. */
  was: z.object({ email: z.string(), passwordChanges: z.number() }),
})
const done = change.omit({ email: true })

export const accountLetters = (publicUrl: string) => {
  const was = (user: UserRecord) => ({ email: user.email, passwordChanges: changesOf(user) })
  return {
    /** The same for every address: whether it has an account is found out when the letter is composed. */
    reset: (email: string): NewLetter => ({
      kind: 'reset-password',
      about: [email],
      to: email,
      content: { request: { email, publicUrl } satisfies z.input<typeof reset> },
      again: true,
    }),
    /** To the new address. */
    emailChange: (user: UserRecord, email: string): NewLetter => ({
      kind: 'change-email',
      about: [user.id, email],
      userId: user.id,
      content: { request: { userId: user.id, email, publicUrl, was: was(user) } satisfies z.input<typeof change> },
      again: true,
    }),
    /** @param before the user before the change, which is seen when the letter is composed, or was not made */
    passwordChanged: (before: UserRecord): NewLetter => ({
      kind: 'password-changed',
      about: [before.id, String(changesOf(before))],
      userId: before.id,
      content: { request: { userId: before.id, publicUrl, was: was(before) } satisfies z.input<typeof done> },
      again: true,
    }),
    /** To the old address. */
    emailChanged: (before: UserRecord): NewLetter => ({
      kind: 'email-changed',
      about: [before.id, before.email],
      userId: before.id,
      content: { request: { userId: before.id, publicUrl, was: was(before) } satisfies z.input<typeof done> },
      again: true,
    }),
  }
}

export type AccountLetters = ReturnType<typeof accountLetters>

export const accountComposers = (users: Users, mailedLinks: MailedLinks): Composers => ({
  async 'reset-password'(request) {
    const { email, publicUrl } = reset.parse(request)
    const user = await users.withEmail(email)
    return user && resetMail(user.email, publicUrl, await mailedLinks.issue('reset', user))
  },
  async 'change-email'(request) {
    const { userId, email, publicUrl, was } = change.parse(request)
    const user = await users.get(userId)
    // A change of password or address since ends what was asked for before.
    if (!user || user.email !== was.email || changesOf(user) !== was.passwordChanges) return null
    if ((await users.withEmail(email)) !== null) return takenMail(email, publicUrl)
    return confirmMail(email, publicUrl, await mailedLinks.issue('email', user, email))
  },
  async 'password-changed'(request) {
    const { userId, publicUrl, was } = done.parse(request)
    const user = await users.get(userId)
    return user && changesOf(user) > was.passwordChanges ? passwordChangedMail(was.email, publicUrl) : null
  },
  async 'email-changed'(request) {
    const { userId, publicUrl, was } = done.parse(request)
    const user = await users.get(userId)
    return user && user.email !== was.email ? emailChangedMail(was.email, publicUrl) : null
  },
})
