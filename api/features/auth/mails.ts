/**
 * The texts of the mails: what happened, what to do, how long it is valid, and what to do if it wasn't the recipient.
 */
import type { Message } from '../mail/port.ts'

export const resetMail = (to: string, publicUrl: string, token: string): Message => ({
  to,
  subject: 'Set a new password for SocialAI',
  text: `Somebody, hopefully you, asked to set a new password for your SocialAI account.

Open this link to choose one:
${publicUrl}/reset-password#${token}

It works once, within an hour from now. You will be signed out everywhere and can sign in with the new password.

If you didn't ask for this, you don't need to do anything: your password stays as it is.
`,
})

export const confirmMail = (to: string, publicUrl: string, token: string): Message => ({
  to,
  subject: 'Confirm your new email address for SocialAI',
  text: `You asked to use this email address for your SocialAI account.

Open this link to confirm it:
${publicUrl}/confirm-email#${token}

It works once, within 24 hours from now. Until you open it, nothing changes.

If you don't have a SocialAI account, somebody mistyped an address, and you don't need to do anything.
`,
})

export const takenMail = (to: string, publicUrl: string): Message => ({
  to,
  subject: 'This email address has a SocialAI account already',
  text: `Somebody asked to use this email address for a SocialAI account, but it has one already. Nothing was changed.

If that was you, sign in with this address, or set a new password there if you have forgotten it:
${publicUrl}/

If it wasn't you, you don't need to do anything.
`,
})

export const emailChangedMail = (to: string, publicUrl: string): Message => ({
  to,
  subject: 'Your SocialAI account has a new email address',
  text: `The email address of your SocialAI account was changed. You now sign in with the new one, and mail goes there instead of here.

If that was you, you don't need to do anything.

If it wasn't you, somebody knows your password. Ask the operator of ${publicUrl} for help as soon as you can.
`,
})

export const passwordChangedMail = (to: string, publicUrl: string): Message => ({
  to,
  subject: 'Your SocialAI password was changed',
  text: `The password of your SocialAI account was changed, and you were signed out everywhere else.

If that was you, you don't need to do anything.

If it wasn't you, choose "Forgot your password?" at ${publicUrl}/ to set a new one.
`,
})
