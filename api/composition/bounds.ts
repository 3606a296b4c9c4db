/**
 * The limits of each route as data: the source of `docs/bounds.md` (`npm run bounds`), and the targets of
 * `bounds-walk.test.ts`.
 */
import { searchBounds, stretchMs } from '../../projections/read-store/turns.ts'
import { maxBodyBytesOf, routes, type Route } from '../contract/index.ts'
import { maxMessageBytes } from '../features/billing/webhook.ts'
import { maxPixels } from '../features/media/image.ts'
import { convertingBounds, openImageBounds } from '../features/media/routes.ts'
import { conversionBounds, maxConversionSeconds } from '../features/media/to-jpeg.ts'
import { maxBodyBytes as sandboxBytes } from '../sandbox/bodies.ts'
import { maxReadsPerSource, maxWritesPerSource } from '../http/bind.ts'
import { edgeTimeouts } from '../http/edge-timeouts.ts'
import { jsonBodyBounds } from '../http/json-body.ts'
import { openFileBounds } from '../http/answer.ts'
import { compressorBounds } from '../http/compressors.ts'
import { outgoingBounds } from '../http/outgoing.ts'
import { commandCost, strangersShare } from '../http/request-limits.ts'
import { maxUnread } from '../features/live-updates/stream.ts'
import { maxLettersAnHour, maxLinksAnHour } from '../features/review/limits.ts'
import { maxConnectionsPerAddress, maxNewConnectionsPerSecond } from '../runtime/listen.ts'
import { uploadBounds } from '../http/uploads.ts'

export interface RouteBounds {
  readonly method: string
  readonly path: string
  readonly caller: 'anyone' | 'signed in' | 'agency' | 'key of a profile' | 'operator'
  /** Bytes; 0 for a route without a body. */
  readonly maxBodyBytes: number
  /** Where the body is held, and the timeout for receiving it. */
  readonly body: 'none' | 'memory' | 'file'
  readonly bodyMs: number | null
  /** The points per request (see `pointsPerMinute`). */
  readonly points: string
  readonly answer: 'JSON' | 'file, streamed' | 'live updates' | 'bytes, shared' | 'image, streamed' | 'page'
}

const { bodyMs, requestMs } = edgeTimeouts

const ofContract = (route: Route): RouteBounds => {
  const reads = route.method !== 'GET'
  const body = route.raw ? 'file' : reads ? 'memory' : 'none'
  return {
    method: route.method,
    path: route.path,
    caller: route.access === 'public' ? 'anyone' : route.access === 'user' ? 'signed in' : 'agency',
    maxBodyBytes: reads ? maxBodyBytesOf(route) : 0,
    body,
    bodyMs: body === 'file' ? requestMs : body === 'memory' ? bodyMs : null,
    points: String(reads ? commandCost : 1),
    answer: route.stream ? 'live updates' : route.file ? 'file, streamed' : 'JSON',
  }
}

const fetched = { method: 'GET', caller: 'anyone', maxBodyBytes: 0, body: 'none', bodyMs: null } as const
const sandboxForm = {
  method: 'POST',
  caller: 'anyone',
  body: 'memory',
  bodyMs,
  points: String(commandCost),
  answer: 'JSON',
} as const
const sandboxKeyed = { ...sandboxForm, caller: 'key of a profile' } as const

/** Routes outside the contract. The sandbox's exist only while a network has no app of its own. */
const outside: readonly RouteBounds[] = [
  { ...fetched, path: '/', points: '1', answer: 'page' },
  { ...fetched, path: '/assets/{file}', points: '1', answer: 'bytes, shared' },
  { ...fetched, path: '/media/{hash}', points: '1 and 1 per 100 kB', answer: 'image, streamed' },
  { ...fetched, path: '/api/openapi.json', points: '1 and 1 per 100 kB', answer: 'JSON' },
  { ...fetched, path: '/.well-known/jwks.json', points: '1', answer: 'JSON' },
  { ...fetched, path: '/healthz', points: 'none', answer: 'page' },
  { ...fetched, path: '/readyz', points: 'none', answer: 'page' },
  { ...fetched, path: '/metrics', caller: 'operator', points: 'none', answer: 'page' },
  { ...fetched, path: '/problems/{unknown}', points: '1', answer: 'page' },
  { ...sandboxForm, path: '/api/billing/webhook', maxBodyBytes: maxMessageBytes, points: '1', answer: 'page' },
  { ...fetched, path: '/sandbox/', points: '1', answer: 'page' },
  { ...fetched, path: '/sandbox/feeds/{platform}/{profile}', points: '1', answer: 'page' },
  { ...fetched, path: '/sandbox/images/{hash}', points: '1', answer: 'image, streamed' },
  { ...sandboxForm, path: '/sandbox/facebook/v25.0/dialog/oauth', maxBodyBytes: sandboxBytes.form, answer: 'page' },
  { ...sandboxForm, path: '/sandbox/facebook/v25.0/oauth/access_token', maxBodyBytes: sandboxBytes.form },
  { ...sandboxForm, path: '/sandbox/instagram/oauth/access_token', maxBodyBytes: sandboxBytes.form },
  { ...sandboxForm, path: '/sandbox/x/2/oauth2/token', maxBodyBytes: sandboxBytes.form },
  { ...sandboxForm, path: '/sandbox/x/2/oauth2/revoke', maxBodyBytes: sandboxBytes.form },
  { ...sandboxForm, path: '/sandbox/linkedin/oauth/v2/accessToken', maxBodyBytes: sandboxBytes.form },
  { ...sandboxForm, path: '/sandbox/facebook/v25.0/{page}/feed', maxBodyBytes: sandboxBytes.facebookPost },
  { ...sandboxForm, path: '/sandbox/instagram/v25.0/{account}/media', maxBodyBytes: sandboxBytes.keyedForm },
  { ...sandboxForm, path: '/sandbox/instagram/v25.0/{account}/media_publish', maxBodyBytes: sandboxBytes.keyedForm },
  { ...sandboxKeyed, path: '/sandbox/facebook/v25.0/{page}/photos', maxBodyBytes: sandboxBytes.facebookPhoto },
  { ...sandboxKeyed, path: '/sandbox/x/2/tweets', maxBodyBytes: sandboxBytes.json },
  { ...sandboxKeyed, path: '/sandbox/x/2/media/upload/initialize', maxBodyBytes: sandboxBytes.json },
  { ...sandboxKeyed, path: '/sandbox/x/2/media/upload/{id}/append', maxBodyBytes: sandboxBytes.xSegment },
  { ...sandboxKeyed, path: '/sandbox/linkedin/rest/posts', maxBodyBytes: sandboxBytes.json },
  { ...sandboxKeyed, path: '/sandbox/linkedin/rest/images', maxBodyBytes: sandboxBytes.json },
  {
    ...sandboxKeyed,
    path: '/sandbox/linkedin/dms-uploads/{id}',
    method: 'PUT',
    maxBodyBytes: sandboxBytes.linkedinImage,
  },
]

/** Every route of a server, the contract's first. */
export const routeBounds: readonly RouteBounds[] = [...Object.values(routes).map(ofContract), ...outside]

/** Limits over all routes: a name, and a sentence with its figures. */
export const sharedBounds: readonly (readonly [string, string])[] = [
  [
    'Points per minute',
    `\`REQUESTS_PER_MINUTE\` (6,000) for each agency, ${strangersShare * 100} % of it for each address without a session, and the whole of it for the files and pages of each address`,
  ],
  [
    'Connections',
    `the limit of open files less 256, 10,000 at most; ${maxConnectionsPerAddress} for each address, and ${maxNewConnectionsPerSecond} new ones a second (with TRUST_PROXY the proxy has to limit these)`,
  ],
  ['Headers', `16 kB, within ${seconds(edgeTimeouts.headersMs)}`],
  [
    'Bodies in memory',
    `${size(jsonBodyBounds.members.maxBytes)} for signed-in users, ${size(jsonBodyBounds.members.maxBytesPerSource)} for each; ${size(jsonBodyBounds.strangers.maxBytes)} for all others, ${size(jsonBodyBounds.strangers.maxBytesPerSource)} for each address; within ${seconds(bodyMs)}`,
  ],
  [
    'Uploads',
    `${uploadBounds.maxCount} and ${size(uploadBounds.maxBytes)} at once, ${uploadBounds.maxCountPerSource} for each agency, in files; within ${seconds(requestMs)}`,
  ],
  [
    'Buffered responses',
    `${size(outgoingBounds.maxBytes)}, ${size(outgoingBounds.maxBytesPerSource)} for each client; the server disconnects a client that reads nothing for ${seconds(outgoingBounds.stallMs)}, one of live updates at ${size(maxUnread)} unread, one of a generated text at 1 MB unread`,
  ],
  [
    'Compressed responses',
    `${compressorBounds.maxCount} at once, about 1.2 MB each, ${compressorBounds.maxCountPerSource} for each client; more are sent uncompressed`,
  ],
  ['Reads', `${maxReadsPerSource} at once for each agency, user or address; 1,000 more wait in a queue`],
  [
    'Searches of many documents',
    `one stretch of ${stretchMs} ms at a time; ${searchBounds.maxOfSource} of an agency and ${searchBounds.maxWaiting} in all wait`,
  ],
  ['Changes', `${maxWritesPerSource} at once for each agency, user or address; 1,000 more wait in a queue`],
  [
    'Letters to contacts',
    `${maxLettersAnHour} an hour of each agency, with a link to review or a code, counted by each process of the API`,
  ],
  ['Review links', `${maxLinksAnHour} new ones an hour of each agency, counted by each process of the API`],
  ['Streamed downloads', `${openFileBounds.maxCount} at once, ${openFileBounds.maxCountPerSource} for each client`],
  ['Image responses', `${openImageBounds.maxCount} at once, ${openImageBounds.maxCountPerSource} to each address`],
  [
    'Image conversions',
    `${conversionBounds.atOnce} at once, ${conversionBounds.inLine} more wait ${seconds(conversionBounds.waitMs)}; ${convertingBounds.maxCountPerSource} of each agency in all; ${maxPixels / 1_000_000} megapixels and ${maxConversionSeconds} s each`,
  ],
]

/** Milliseconds as seconds. */
export function seconds(ms: number): string {
  return `${ms / 1000} s`
}

/** Bytes as `16 kB` or `2 MB`. */
export function size(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MB` : `${Math.round(bytes / 1024)} kB`
}
