import { isOpenedByMail } from '../lib/mailed-token.ts'

/** The screens that a link opens by itself, with or without a session. They have no shell. */
export const isByLink = (path: string) => isOpenedByMail(path) || /^\/(audit\/.|review\/?$)/.test(path)
