/** The way that mail takes from this server. */
import { mailSettings, type MailEnvironment } from './config.ts'
import { outbox } from './outbox.ts'
import type { Mail } from './port.ts'

/** @param folder where mail goes as long as no server takes it. Null without either. */
export async function openMail(config: MailEnvironment, folder: string | null): Promise<Mail | null> {
  const settings = mailSettings(config)
  if (!settings) return folder === null ? null : outbox(folder)
  // Most installations never send any.
  const { smtpMail } = await import('./smtp.ts')
  return smtpMail(settings)
}
