/**
 * Parses bodies as the networks accept them: forms, JSON, multipart with a file, and raw bytes; none of them
 * compressed. Each route sets its maximum size. Memory in use is limited, separately for this process's own connectors
 * and for all other clients.
 */
import { json, raw, urlencoded, type Request, type RequestHandler } from 'express'
import { boundedBody, defaultBodyMs } from '../http/bounded-body.ts'
import { InFlightLimit, type InFlightBounds } from '../core/in-flight-limit.ts'
import { sourceOf } from '../core/source.ts'

const kilobyte = 1024
const megabyte = 1024 * kilobyte

/** The maximum size of each kind of body. */
export const maxBodyBytes = {
  /** Token requests and consent forms. */
  form: 16 * kilobyte,
  /** A post whose token may be a form field: the token is known only after the form is read. */
  keyedForm: 256 * kilobyte,
  /** A Facebook post's 63,206 characters, each percent-encoded as twelve. */
  facebookPost: megabyte,
  /** Facebook accepts 4 MB and rejects larger photos with an error, so a larger body is read to return that error. */
  facebookPhoto: 8 * megabyte,
  /** Posts on other networks: a LinkedIn post's 3,000 characters, each escaped. */
  json: 64 * kilobyte,
  /** One segment, with some room for a client with another definition of a megabyte. */
  xSegment: 5 * megabyte + 64 * kilobyte,
  /** The largest image that SocialAI accepts; LinkedIn limits only pixels. */
  linkedinImage: 15 * megabyte,
} as const

export const sandboxBodyBounds = {
  own: { maxCount: 1_000, maxBytes: 256 * megabyte, maxCountPerSource: 1_000, maxBytesPerSource: 256 * megabyte },
  others: { maxCount: 512, maxBytes: 64 * megabyte, maxCountPerSource: 64, maxBytesPerSource: 16 * megabyte },
  /** For clients that are workers, each of which publishes for many users. */
  workers: { maxCount: 1_000, maxBytes: 256 * megabyte, maxCountPerSource: 500, maxBytesPerSource: 128 * megabyte },
} as const satisfies Record<string, InFlightBounds>

export class Bodies {
  readonly #own = new InFlightLimit(sandboxBodyBounds.own)
  readonly #others: InFlightLimit

  /** @param isOwn whether a request is from this process's own connectors */
  constructor(
    private readonly isOwn: (request: Request) => boolean,
    private readonly timeoutMs = defaultBodyMs,
    callers: 'others' | 'workers' = 'others',
  ) {
    this.#others = new InFlightLimit(sandboxBodyBounds[callers])
  }

  readonly form = (maxBytes: number): RequestHandler =>
    this.#read(urlencoded({ extended: false, limit: maxBytes, inflate: false }), maxBytes)
  readonly json = (maxBytes: number): RequestHandler => this.#read(json({ limit: maxBytes, inflate: false }), maxBytes)
  /** A body of any content type. */
  readonly bytes = (maxBytes: number): RequestHandler =>
    this.#read(raw({ type: () => true, limit: maxBytes, inflate: false }), maxBytes)
  readonly multipart = (maxBytes: number): readonly RequestHandler[] => [
    this.#read(raw({ type: 'multipart/form-data', limit: maxBytes, inflate: false }), maxBytes),
    fields,
  ]

  #read(parser: RequestHandler, maxBytes: number): RequestHandler {
    const reserve = (request: Request, bytes: number) =>
      this.isOwn(request) ? this.#own.reserve('own', bytes) : this.#others.reserve(sourceOf(request.ip ?? ''), bytes)
    return boundedBody(parser, { maxBytes, timeoutMs: this.timeoutMs, reserve })
  }
}

/** Sets the body to the fields by name: texts as strings, files as `File`. */
const fields: RequestHandler = async (request, response, next) => {
  if (!Buffer.isBuffer(request.body)) return next()
  try {
    const headers = { 'content-type': request.get('content-type') ?? '' }
    request.body = Object.fromEntries(await new Response(new Uint8Array(request.body), { headers }).formData())
  } catch {
    return void response.status(400).json({ error: { message: 'The form could not be read.' } })
  }
  next()
}

/** A file from a multipart form. */
export function fileIn(body: unknown, name: string): File | null {
  const found =
    typeof body === 'object' && body !== null ? Object.entries(body).find(([key]) => key === name)?.[1] : undefined
  return found instanceof File ? found : null
}

/** The bytes of a file. */
export const bytesOf = async (file: File): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await file.arrayBuffer())
