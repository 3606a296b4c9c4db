/** A body as it comes: bytes of a given type, up to a limit that is kept whatever the headers say. */
import type { Request } from 'express'
import type { Route } from '../contract/index.ts'
import { hasBody } from './guard.ts'
import { Problem } from './problem.ts'

/** @throws Problem 415 for another type, 413 for too much */
export function rawBody(request: Request, { type, mostBytes }: NonNullable<Route['raw']>): Promise<Uint8Array> {
  const tooLarge = new Problem(413, 'too-large', `That is too large: at most ${mostBytes / 1024 / 1024} MB can be sent.`)
  if (!hasBody(request) || request.is(type) === false) throw new Problem(415, 'wrong-type', `Send the file itself as the body, as ${type}.`)
  if (Number(request.get('Content-Length') ?? 0) > mostBytes) throw tooLarge
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    request.on('data', (part: Buffer) => {
      size += part.length
      // What is over is let go by, not hung up on: the sender could not read the answer otherwise.
      if (size > mostBytes) reject(tooLarge)
      else parts.push(part)
    })
    request.on('end', () => resolve(Buffer.concat(parts)))
    request.on('error', () => reject(new Problem(400, 'invalid', 'The file did not arrive whole.')))
  })
}
