/** Checks a message's headers: exactly one address, and a subject on one line. */
import { MailFailed, type Message } from './port.ts'

/** Suppresses automatic replies (RFC 3834). */
export const ofEvery = { 'Auto-Submitted': 'auto-generated' } as const

/** @throws MailFailed for anything but a single address */
export function addressed({ to, subject }: Message): { readonly to: string; readonly subject: string } {
  if (!/^[^\s,;<>"()[\]\\:@\p{Cc}]+@[^\s,;<>"()[\]\\:@\p{Cc}]+$/u.test(to))
    throw new MailFailed('Not an address', false)
  return { to, subject: subject.replaceAll(/\p{Cc}+/gu, ' ') }
}
