import { isOpenedByMail } from '../lib/mailed-token.ts'

/** The screens that a mailed link opens, with or without a session. They have no shell. */
export const isByLink = (path: string) =>
  isOpenedByMail(path) || (path.startsWith('/audit/') && path.length > '/audit/'.length)
