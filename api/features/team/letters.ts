import { onOneLine } from '../mail/on-one-line.ts'
import type { Message } from '../mail/port.ts'

interface About {
  readonly agencyName: string
  readonly inviter: string
  readonly role: string
}

export const invitationLink = (publicUrl: string, token: string): string => `${publicUrl}/invitation#${token}`

export const invitationMail = (to: string, link: string, { agencyName, inviter, role }: About): Message => ({
  to,
  subject: `Join ${onOneLine(agencyName)} on SocialAI`,
  text: `${onOneLine(inviter)} invites you to work for ${onOneLine(agencyName)} on SocialAI, as ${role}.

Open this link to accept:
${link}

It works once, within 7 days from now, and for this address only.

If you don't know ${onOneLine(agencyName)}, you don't need to do anything.
`,
})
