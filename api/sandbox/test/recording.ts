/** Records the requests to the networks, so that a test can compare them with the documentation. */
import type { Request, RequestHandler } from 'express'

export interface Recorded {
  readonly method: string
  /** The path from the network's name on, e.g. `/x/2/tweets`. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** A form's or JSON's values; for bytes, their number. Null: no body. */
  readonly body: unknown
}

/** @param networks the first path segments to record */
export function recording(networks: ReadonlySet<string>): {
  readonly middleware: RequestHandler
  requests(): readonly Recorded[]
} {
  const seen: { readonly request: Request; readonly path: string }[] = []
  return {
    middleware: (request, _, next) => {
      const [path = ''] = request.url.split('?')
      if (networks.has(path.split('/')[1] ?? '')) seen.push({ request, path })
      next()
    },
    requests: () => seen.map(({ request, path }) => recorded(request, path)),
  }
}

const recorded = (request: Request, path: string): Recorded => ({
  method: request.method,
  path,
  query: textsIn(request.query),
  headers: textsIn(request.headers),
  body: bodyOf(request.body),
})

const textsIn = (values: object): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))

function bodyOf(body: unknown): unknown {
  if (Buffer.isBuffer(body)) return { bytes: body.length }
  if (typeof body !== 'object' || body === null) return body ?? null
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      value instanceof File ? { name: value.name, type: value.type, bytes: value.size } : value,
    ]),
  )
}
