/** The tag of a read's body, by which a client that has the body already is told so instead. */
import { hash } from 'node:crypto'

/** Shorter bodies get no tag: compressed they fit into one packet, as the answer without a body does. */
export const minTagged = 4_096

/**
 * Weak, because the same text may come compressed or not. @param scope the agency, the user and the address: a tag of
 * another agency, user or query never matches
 */
export const tagOf = (scope: string, text: string): string =>
  `W/"${hash('sha256', `${scope}\0${text}`, 'base64url').slice(0, 22)}"`

/**
 * Whether `If-None-Match` names the tag. `Cache-Control: no-cache`, which browsers add to a request with a tag of its
 * page's own, doesn't matter: the tag was made of the body as it is now.
 */
export const hasSame = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch !== undefined && ifNoneMatch.split(',').some((each) => each.trim() === tag)
