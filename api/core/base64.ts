/**
 * Decodes base64 or base64url; null unless the text is the canonical encoding of its bytes. `Buffer.from` also accepts
 * spaces, the other alphabet and spare bits in the last letter, so that a token would have several spellings (RFC 4648,
 * 3.5: decoders may refuse those).
 */
export function decoded(text: string, encoding: 'base64' | 'base64url'): Buffer | null {
  const bytes = Buffer.from(text, encoding)
  return bytes.toString(encoding) === text ? bytes : null
}
