/** OpenAPI 3.1 from the same schemas that validate requests. */
import type { z } from 'zod'
import { routes, type Route } from '../contract/index.ts'
import { maxBodyBytesOf } from '../contract/route.ts'
import { exampleOf, examplesOf, inputSchema, outputSchema } from './openapi-schemas.ts'

const text = { 'text/plain': { schema: { type: 'string' } } }
const problem = {
  'application/problem+json': {
    schema: {
      type: 'object',
      required: ['type', 'title', 'status', 'detail'],
      properties: {
        type: { type: 'string' },
        title: { type: 'string' },
        status: { type: 'integer' },
        detail: { type: 'string', description: 'One sentence for a person' },
      },
    },
  },
}

/** The characters of a header value: visible ASCII, and spaces in between. */
const inHeader = { type: 'string', pattern: '^[!-~](?:[ -~]*[!-~])?$' }

function parametersOf(route: Route) {
  const inPlace = (schema: z.ZodObject | undefined, place: 'path' | 'query') =>
    Object.entries(schema?.shape ?? {}).map(([name, field]) => {
      const described = inputSchema(field as z.ZodType)
      const required = place === 'path' || !(field as z.ZodType).safeParse(undefined).success
      return { name, in: place, required, schema: described, example: exampleOf(described) }
    })
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { ...inHeader, minLength: 1, maxLength: 200 },
    example: '0195a000-4d2f',
  }
  const match = {
    name: 'If-Match',
    in: 'header',
    required: false,
    schema: { type: 'string', pattern: '^(?:\\*|(?:W/)?"[0-9]{1,9}")$' },
    description: 'The ETag that was read',
    example: '"7"',
  }
  const lenient = {
    name: 'Prefer',
    in: 'header',
    required: false,
    schema: inHeader,
    description: '`handling=lenient`: a 204 instead of the 401',
    example: 'handling=lenient',
  }
  const last = {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    schema: inHeader,
    description: 'How far the stream was read before',
    example: '0',
  }
  const noneMatch = {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    schema: { type: 'string', pattern: '^W/"[A-Za-z0-9_-]{22}"$' },
    description: 'The ETag of the reply that the client has: a 304 when it would be the same',
    example: 'W/"AAAAAAAAAAAAAAAAAAAAAA"',
  }
  return [
    ...(isTagged(route) ? [noneMatch] : []),
    ...(route.stream ? [last] : []),
    ...(mayBeSignedOut(route) ? [lenient] : []),
    ...inPlace(route.params, 'path'),
    ...inPlace(route.query, 'query'),
    ...(route.idempotent ? [key] : []),
    ...(route.errors?.[412] === undefined ? [] : [match]),
  ]
}

function responsesOf(route: Route) {
  const described: [number, string][] = []
  const changes = route.method !== 'GET'
  if (route.query ?? route.body ?? route.raw) described.push([400, 'Invalid: the sentence names the field'])
  else if (changes) described.push([400, 'A body that is not JSON'])
  if (route.access !== 'public') described.push([401, 'Not signed in'])
  if (route.access === 'agency') described.push([403, 'No agency yet, or a request from another site'])
  else if (changes || leaves(route)) described.push([403, 'A request from another site'])
  if (changes)
    described.push(
      [408, 'The body took too long to arrive'],
      [413, `A body of more than ${maxBodyBytesOf(route) / 1024} kB`],
    )
  if (changes && !route.raw) described.push([415, 'Not application/json'])
  if (changes && route.access === 'agency')
    described.push([409, 'The session works in another agency than the one that the header `X-Agency` names'])
  if (route.params) described.push([404, "Unknown, or another agency's"])
  described.push([429, 'More than this server takes at once; Retry-After says when to try again'])
  if (route.errors?.[503] === undefined)
    described.push([
      503,
      'A dependency is unavailable, or this server receives or sends as much as it can; Retry-After says when to try again',
    ])
  for (const [status, meaning] of Object.entries(route.errors ?? {})) described.push([Number(status), meaning])
  const errors = described.map(([status, description]) => [
    String(status),
    { description, content: { ...text, ...problem } },
  ])
  const success = route.file
    ? { description: 'The file', content: Object.fromEntries(Object.values(route.file).map((type) => [type, {}])) }
    : route.stream
      ? {
          description: 'Server-sent events, each with such data',
          content: { 'text/event-stream': { schema: outputSchema(route.stream) } },
        }
      : route.reply
        ? {
            description: 'Done',
            ...headersOf(route),
            content: { 'application/json': { schema: replySchema(route, route.reply) }, ...eventsOf(route) },
          }
        : { description: route.status === 302 ? 'Go there' : 'Done' }
  const anonymous = mayBeSignedOut(route)
    ? { 204: { description: 'No user is signed in, and `Prefer: handling=lenient` was sent' } }
    : {}
  const same = isTagged(route)
    ? { 304: { description: 'The reply is the one that `If-None-Match` names; its headers are those of now' } }
    : {}
  return { [String(route.status)]: success, ...anonymous, ...same, ...Object.fromEntries(errors) }
}

/** The routes to which the app adds guards by path: see `followedLink` and `nobodyIsAnAnswer`. */
const leaves = ({ path }: Route) => path === '/api/logout' || path === '/api/auth/oidc'
/** Long replies to reads of an agency have a tag. */
const isTagged = ({ method, access, reply, stream }: Route) =>
  method === 'GET' && access === 'agency' && reply !== null && !stream
const mayBeSignedOut = ({ path }: Route) => path === '/api/auth/user'

const replySchema = (route: Route, reply: z.ZodType) => {
  const views = Object.values(route.views ?? {})
  return views.length === 0 ? outputSchema(reply) : { anyOf: [reply, ...views].map(outputSchema) }
}

const pagedHeaders = {
  Link: { schema: { type: 'string' }, description: '`<…>; rel="next"`: where the next page is; absent on the last' },
  'X-Total-Count': {
    schema: { type: 'integer' },
    description: 'How many items there are in all; absent where that is not known',
  },
}
const headersOf = ({ paged }: Route) => (paged ? { headers: pagedHeaders } : {})

const eventsOf = ({ events }: Route) => (events ? { 'text/event-stream': { schema: outputSchema(events) } } : {})

function bodyOf({ body, raw }: Route) {
  if (raw)
    return {
      requestBody: {
        required: true,
        content: { [raw.type]: raw.example === undefined ? {} : { example: raw.example } },
      },
    }
  if (!body) return {}
  const schema = inputSchema(body)
  return { requestBody: { required: true, content: { 'application/json': { schema, examples: examplesOf(schema) } } } }
}

const texts = new Map<string, Buffer>()

/** The document as JSON, generated once for each version. */
export function openApiText(version: string): Buffer {
  const text = texts.get(version) ?? Buffer.from(JSON.stringify(openApi(version)))
  texts.set(version, text)
  return text
}

/** The whole document. */
export function openApi(version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [operationId, definition] of Object.entries(routes)) {
    const route: Route = definition
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: {
        operationId,
        summary: route.summary,
        tags: [route.path.split('/')[2] ?? 'api'],
        security: route.access === 'public' ? [] : [{ session: [] }],
        parameters: parametersOf(route),
        ...bodyOf(route),
        responses: responsesOf(route),
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'SocialAI',
      version,
      description: 'Social media management for agencies. Lengths of texts are counted in UTF-16 code units.',
    },
    paths,
    components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'socialai' } } },
  }
}
