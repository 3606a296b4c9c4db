/** The words of the letters that remind of a step. The text of the post is in no subject. */
import type { Instant } from '../../../domain/core/event.ts'
import { onOneLine } from '../mail/on-one-line.ts'
import type { Message } from '../mail/port.ts'

/**
 * `approve`: to the step's people; `escalated`: to those of the role who may approve it now; `client`: to a contact
 * with a link; `no-link`: no link shows the post; `open-link`: one for everyone does, which was mailed to no contact;
 * `told`: to the role, of a step that stays the client's; `no-approver`: to those who can give the step to others.
 */
export const reminderPurposes = [
  'approve',
  'escalated',
  'client',
  'no-link',
  'open-link',
  'told',
  'no-approver',
] as const
export type ReminderPurpose = (typeof reminderPurposes)[number]

interface About {
  readonly agencyName: string
  readonly clientName: string
  readonly clientId: string
  readonly step: string
  readonly content: string
  readonly openedAt: Instant
  /** Of the letter with the link; null: there is none. */
  readonly sentAt: Instant | null
  readonly timeZone: string
  readonly publicUrl: string
}

const maxShown = 80

export function reminderMail(to: string, purpose: ReminderPurpose, about: About): Message {
  const client = onOneLine(about.clientName)
  const agency = onOneLine(about.agencyName)
  const step = onOneLine(about.step)
  const since = dayOf(about.openedAt, about.timeZone)
  const post = `- ${onOneLine(about.content.slice(0, maxShown))}`
  const open = `Open it: ${about.publicUrl}/content?client=${about.clientId}`
  const mail = (subject: string, ...paragraphs: readonly string[]): Message => ({
    to,
    subject,
    text: `${paragraphs.join('\n\n')}\n`,
  })
  switch (purpose) {
    case 'approve':
      return mail(
        `${client}: a post waits for your approval`,
        `A post of ${client} has waited for your approval at the step "${step}" since ${since}:`,
        post,
        open,
      )
    case 'escalated':
      return mail(
        `${client}: a post waits for approval`,
        `A post of ${client} has waited at the step "${step}" since ${since}. Its people have not answered, so you can approve it too:`,
        post,
        open,
      )
    case 'client':
      return mail(
        `${agency}: a post waits for your approval`,
        `A post of ${client} has waited for your approval since ${since}.`,
        about.sentAt === null
          ? `Use the link in our letter.`
          : `Use the link in our letter of ${dayOf(about.sentAt, about.timeZone)}.`,
        `If you don't have it any more, ask ${agency} for a new one.`,
      )
    case 'no-link':
      return mail(
        `${client}: a post waits, and the client can't see it`,
        `A post of ${client} has waited for the client's approval at the step "${step}" since ${since}. No review link shows this post to the client:`,
        post,
        `Send it for review: ${about.publicUrl}/clients/${about.clientId}?tab=approval`,
      )
    case 'open-link':
      return mail(
        `${client}: a post waits, and the client was not reminded`,
        `A post of ${client} has waited for the client's approval at the step "${step}" since ${since}. An open link shows it, but to no one by mail:`,
        post,
        `Pass the link on again, or send it to contacts: ${about.publicUrl}/clients/${about.clientId}?tab=approval`,
      )
    case 'told':
      return mail(
        `${client}: the client has not answered`,
        `A post of ${client} has waited for the client's approval at the step "${step}" since ${since}:`,
        post,
        `The step stays the client's. An owner or admin can skip it.`,
        open,
      )
    case 'no-approver':
      return mail(
        `${client}: a step has no approver`,
        `A post of ${client} has waited at the step "${step}" since ${since}, and no one is left who can approve it:`,
        post,
        `You can give the step to other people, or skip it.`,
        open,
      )
  }
}

const dayOf = (at: Instant, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone }).format(new Date(at))
