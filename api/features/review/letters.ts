import { onOneLine } from '../mail/on-one-line.ts'
import type { Message } from '../mail/port.ts'
import { codeMinutes } from './locks.ts'

export const reviewLink = (publicUrl: string, token: string): string => `${publicUrl}/review#${token}`

interface About {
  readonly agencyName: string
  readonly clientName: string
  readonly issuer: string
  readonly expiresAt: string
}

export const reviewMail = (
  to: string,
  link: string,
  { agencyName, clientName, issuer, expiresAt }: About,
): Message => ({
  to,
  subject: `Posts of ${onOneLine(clientName)} for your review`,
  text: `${onOneLine(issuer)} of ${onOneLine(agencyName)} asks you to review posts of ${onOneLine(clientName)}.

Open this link to see them. It is for you alone, so don't pass it on:
${link}

It works until ${expiresAt.slice(0, 10)}. You need no account.
`,
})

export const codeMail = (to: string, code: string, { agencyName }: Pick<About, 'agencyName'>): Message => ({
  to,
  // Without the code: operators see the subjects of letters.
  subject: `Your code for ${onOneLine(agencyName)}`,
  text: `Your code to review posts of ${onOneLine(agencyName)}:

${code}

It works once, within ${codeMinutes} minutes from now.

If you didn't ask for it, you don't need to do anything.
`,
})
