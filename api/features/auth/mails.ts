/**
 * The texts of the mails: what happened, what to do, how long it is valid, and what to do if it wasn't the recipient.
 */
import { onOneLine } from '../mail/on-one-line.ts'
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

export const addressMail = (to: string, publicUrl: string, token: string): Message => ({
  to,
  subject: 'Confirm your email address for SocialAI',
  text: `You asked to confirm the email address of your SocialAI account.

Open this link in the browser in which you are signed in:
${publicUrl}/confirm-address#${token}

It works once, within 24 hours from now. You are then signed out everywhere else.

If you don't have a SocialAI account, somebody mistyped an address, and you don't need to do anything.
`,
})

const notYou = (publicUrl: string) => `If that was you, you don't need to do anything.

If it wasn't you, choose "Forgot your password?" at ${publicUrl}/ to set a new one, and look at Settings, Security.
`

/** `2026-03-01T09:00:00.000Z` -> `2026-03-01 09:00 UTC` */
const timeOf = (at: string) => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`

export const newDeviceMail = (to: string, publicUrl: string, browser: string, at: string): Message => ({
  to,
  subject: 'New sign-in to your SocialAI account',
  text: `Your SocialAI account was used in a browser that is new to it: ${browser}, at ${timeOf(at)}.

${notYou(publicUrl)}`,
})

const factorChanges = {
  'app-added': {
    subject: 'An authenticator app was added to your SocialAI account',
    text: 'From now on, signing in takes your password and a code from the app, or a recovery code.',
  },
  'app-removed': {
    subject: 'The authenticator app was removed from your SocialAI account',
    text: 'Its codes are no longer asked for, and no longer work.',
  },
  'passkey-added': {
    subject: 'A passkey was added to your SocialAI account',
    text: 'From now on, you can sign in with it, and your password alone no longer signs you in.',
  },
  'passkey-removed': {
    subject: 'A passkey was removed from your SocialAI account',
    text: 'It no longer signs you in.',
  },
  'codes-renewed': {
    subject: 'Your SocialAI account has new recovery codes',
    text: 'The earlier recovery codes no longer work.',
  },
} as const
export type FactorChange = keyof typeof factorChanges

export const factorMail = (to: string, publicUrl: string, change: FactorChange): Message => {
  const { subject, text } = factorChanges[change]
  return { to, subject, text: `${subject}.\n\n${text}\n\n${notYou(publicUrl)}` }
}

const linkChanges = {
  'oidc-linked': {
    subject: 'Single sign-on was linked to your SocialAI account',
    text: 'From now on, the linked account at the provider signs you in too.',
  },
  'oidc-unlinked': {
    subject: 'Single sign-on was removed from your SocialAI account',
    text: 'Your account at the provider no longer signs you in.',
  },
} as const

export const oidcLinkMail = (to: string, publicUrl: string, change: keyof typeof linkChanges): Message => {
  const { subject, text } = linkChanges[change]
  return { to, subject, text: `${subject}.\n\n${text}\n\n${notYou(publicUrl)}` }
}

export const recoveryCodeMail = (to: string, publicUrl: string, left: number): Message => ({
  to,
  subject: 'A recovery code was used for your SocialAI account',
  text: `A recovery code was used to sign in. ${left === 1 ? 'One is' : `${left === 0 ? 'None are' : `${left} are`}`} left. You can make new ones in Settings, Security.

${notYou(publicUrl)}`,
})

/** @param agencyName of the admin who did it; null: the operator did */
export const factorsResetMail = (to: string, publicUrl: string, agencyName: string | null): Message => ({
  to,
  subject: 'The second factors of your SocialAI account were removed',
  text: `${agencyName === null ? 'An administrator' : `An admin of ${onOneLine(agencyName)}`} removed the passkeys, the authenticator app, the recovery codes and the link to single sign-on of your SocialAI account. Your password alone signs you in again. You can add factors in Settings, Security.

If you didn't ask for this, choose "Forgot your password?" at ${publicUrl}/ to set a new password, and ask ${agencyName === null ? 'the operator' : 'the admin'} why.
`,
})
