/** What a message's headers may have in them: one address, and a subject that stays one line. */
import { MailFailed, type Message } from './port.ts'

/** Nobody's holiday notice is to answer (RFC 3834). */
export const ofEvery = { 'Auto-Submitted': 'auto-generated' } as const

/** @throws MailFailed for what is no single address */
export function addressed({ to, subject }: Message): { readonly to: string; readonly subject: string } {
  if (!/^[^\s,;<>"()[\]\\:@\p{Cc}]+@[^\s,;<>"()[\]\\:@\p{Cc}]+$/u.test(to))
    throw new MailFailed('Not an address', false)
  return { to, subject: subject.replaceAll(/\p{Cc}+/gu, ' ') }
}
