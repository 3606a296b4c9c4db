/** Parses the Range header of a GET (RFC 9110, section 14). */
import type { Request } from 'express'

export interface ByteRange {
  /** The first byte and the last one, both included. */
  readonly start: number
  readonly end: number
}

/**
 * An unparsable header, several ranges, or an `If-Range` of another version mean the whole representation: a server may
 * ignore a Range header (RFC 9110, section 14.2). @param size bytes of the representation @param etag with its quotes
 */
export function rangeOf(request: Request, size: number, etag: string): ByteRange | 'whole' | 'unsatisfiable' {
  const ifRange = request.get('If-Range')
  if (ifRange !== undefined && ifRange !== etag) return 'whole'
  const ranges = request.range(size, { combine: true })
  if (ranges === -1) return 'unsatisfiable'
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return 'whole'
  return ranges[0] ?? 'whole'
}
