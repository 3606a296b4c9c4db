import { isOpenedByMail } from '../lib/mailed-token.ts'

/** The screens that a link opens, whoever is signed in. They have no shell. */
export const isByLink = (path: string) =>
  isOpenedByMail(path) || (path.startsWith('/audit/') && path.length > '/audit/'.length)
