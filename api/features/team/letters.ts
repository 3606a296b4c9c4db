import type { Message } from '../mail/port.ts'

interface About {
  readonly agencyName: string
  readonly inviter: string
  readonly role: string
}

/** Keeps a name on one line. */
const inLine = (text: string) => text.replaceAll(/\s/g, ' ')

export const invitationLink = (publicUrl: string, token: string): string => `${publicUrl}/invitation#${token}`

export const invitationMail = (to: string, link: string, { agencyName, inviter, role }: About): Message => ({
  to,
  subject: `Join ${inLine(agencyName)} on SocialAI`,
  text: `${inLine(inviter)} invites you to work for ${inLine(agencyName)} on SocialAI, as ${role}.

Open this link to accept:
${link}

It works once, within 7 days from now, and for this address only.

If you don't know ${inLine(agencyName)}, you don't need to do anything.
`,
})
