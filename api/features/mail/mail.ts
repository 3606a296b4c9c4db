/** Selects how this server sends mail. */
import { mailSettings, type MailEnvironment } from './config.ts'
import { outbox } from './outbox.ts'
import type { Mail } from './port.ts'

/** @param folder stores the mails when no SMTP server is set; null with neither */
export async function openMail(config: MailEnvironment, folder: string | null): Promise<Mail | null> {
  const settings = mailSettings(config)
  if (!settings) return folder === null ? null : outbox(folder)
  // Loaded on demand, because most installations send no mail.
  const { smtpMail } = await import('./smtp.ts')
  return smtpMail(settings)
}
