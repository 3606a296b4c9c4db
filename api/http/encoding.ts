/** Which compressed variant a client is sent. */
import type { Request } from 'express'

export type Compression = 'br' | 'gzip'

/**
 * The smallest variant that the client accepts. Browsers name Brotli last and weigh all alike ("gzip, deflate, br,
 * zstd"), and `acceptsEncodings` answers equal weights in the client's order: each is asked for by itself.
 */
export const encodingFor = (request: Request): Compression | 'identity' =>
  (['br', 'gzip'] as const).find((encoding) => request.acceptsEncodings(encoding) !== false) ?? 'identity'
