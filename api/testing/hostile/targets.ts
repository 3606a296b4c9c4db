/**
 * Every route of the table of bounds as something to attack: with a valid request, and things of its own where it
 * destroys them or fills a limit.
 */
import { ApiClient } from '../../http/client.ts'
import { systemClock } from '../../core/clock.ts'
import { routes, type RouteName } from '../../contract/index.ts'
import { routeBounds, type RouteBounds } from '../../composition/bounds.ts'
import { owner } from '../server.ts'
import { png } from '../../features/media/test/helpers.ts'
import { request as requestOf, thingsOf, type Things } from '../every-route.ts'
import type { Target } from './attacks.ts'
import type { AttackedServer } from './attacked-server.ts'

export interface NamedTarget extends Target {
  readonly name: string
  readonly bounds: RouteBounds
}

/** One of each kind of body and answer, for the quick walk. */
const sample: ReadonlySet<string> = new Set([
  'POST /api/auth/login',
  'GET /api/auth/user',
  'GET /api/clients/{id}/posts',
  'POST /api/clients/{id}/posts',
  'POST /api/clients/{id}/posts/import',
  'POST /api/media',
  'GET /api/audit/export',
  'GET /api/news',
  'GET /',
  'GET /assets/{file}',
  'GET /media/{hash}',
  'GET /api/openapi.json',
  'POST /api/billing/webhook',
  'POST /sandbox/facebook/v25.0/{page}/feed',
  'PUT /sandbox/linkedin/dms-uploads/{id}',
])

export const wantedBounds = (isWhole: boolean): readonly RouteBounds[] =>
  routeBounds.filter(({ method, path }) => isWhole || sample.has(`${method} ${path}`))

/**
 * Makes the people and things that the routes need, an agency for each group of ten routes. One with a body in a file
 * has an agency of its own, since an agency may have four of those under way.
 */
export async function targetsOf(server: AttackedServer, isWhole: boolean): Promise<readonly NamedTarget[]> {
  const targets: NamedTarget[] = []
  let who: { readonly caller: ApiClient; readonly things: Things; readonly hash: string } | null = null
  for (const [index, bounds] of wantedBounds(isWhole).entries()) {
    if (who === null || index % 10 === 0 || isAlone(bounds)) who = await newAgency(server)
    targets.push({
      name: `${bounds.method} ${bounds.path}`,
      bounds,
      port: server.port,
      maxBodyBytes: bounds.maxBodyBytes,
      ...requestTo(bounds, who),
    })
    if (isAlone(bounds)) who = null
  }
  return targets
}

const isAlone = ({ method, path, body }: RouteBounds) =>
  body === 'file' || method === 'DELETE' || /logout|sign-out|auth\/password$|auth\/email$/.test(path)

async function newAgency(server: AttackedServer) {
  const caller = await owner({ url: `http://localhost:${server.port}` })
  const things = await thingsOf(caller, { clock: systemClock })
  const uploaded = await caller.ask('uploadImage', {
    body: new Blob([new Uint8Array(png(100, 100))], { type: 'image/png' }),
  })
  return { caller, things, hash: (JSON.parse(uploaded.text) as { hash: string }).hash }
}

type Sent = Pick<Target, 'method' | 'path' | 'headers' | 'body'>

function requestTo(
  bounds: RouteBounds,
  { caller, things, hash }: { readonly caller: ApiClient; readonly things: Things; readonly hash: string },
): Sent {
  const { method, path, body: held } = bounds
  const found = Object.entries(routes).find(([, route]) => route.method === method && route.path === path)
  if (!found) return outsideRequest(bounds, hash)
  const [name, route] = found as [RouteName, (typeof routes)[RouteName]]
  const {
    params = {},
    query = {},
    body,
  } = requestOf(name, things) as { params?: Record<string, string>; query?: Record<string, string>; body?: unknown }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? 'x'))
  const search = new URLSearchParams(query).toString()
  const raw = 'raw' in route ? route.raw.type.replace('*', 'png') : null
  return {
    method,
    path: search === '' ? filled : `${filled}?${search}`,
    headers: { Cookie: caller.cookie, ...(held === 'none' ? {} : { 'Content-Type': raw ?? 'application/json' }) },
    body:
      held === 'none'
        ? null
        : raw === null
          ? Buffer.from(JSON.stringify(body ?? {}))
          : raw === 'text/csv'
            ? Buffer.from('content,platform\nMine now,facebook')
            : png(100, 100),
  }
}

const types: readonly (readonly [RegExp, string])[] = [
  [/photos$|append$/, 'multipart/form-data; boundary=x'],
  [/dms-uploads/, 'application/octet-stream'],
  [/tweets$|initialize$|rest\//, 'application/json'],
]

function outsideRequest({ method, path, body }: RouteBounds, hash: string): Sent {
  const filled = path
    .replace('{file}', 'big-abc.js')
    .replace('{hash}', hash)
    .replace('{platform}', 'facebook')
    .replaceAll(/\{\w+\}/g, '1')
  const type = types.find(([pattern]) => pattern.test(path))?.[1] ?? 'application/x-www-form-urlencoded'
  const isMultipart = type.startsWith('multipart')
  return {
    method,
    path: filled,
    headers: body === 'none' ? {} : { 'Content-Type': type },
    body:
      body === 'none'
        ? null
        : Buffer.from(
            isMultipart
              ? '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n'
              : type.endsWith('json')
                ? '{}'
                : 'a=b',
          ),
  }
}
