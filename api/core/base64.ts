/**
 * The bytes that a text stands for in base64 or base64url; null unless it is exactly how those bytes are written.
 * `Buffer.from` also takes spaces, the other alphabet and spare bits in the last letter, so that one token could be
 * written in several ways (RFC 4648, 3.5: decoders may refuse those).
 */
export function decoded(text: string, encoding: 'base64' | 'base64url'): Buffer | null {
  const bytes = Buffer.from(text, encoding)
  return bytes.toString(encoding) === text ? bytes : null
}
