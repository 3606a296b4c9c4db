/** A route as data: bound by the server, documented in OpenAPI and called by the web's client. */
import type { z } from 'zod'
import type { MemberRole } from '../../domain/agency/roles.ts'

/** `public`: everyone; `user`: signed in; `agency`: signed in and a member of an agency, with a role. */
export type Access = 'public' | 'user' | 'agency'

/**
 * Where the client of a request comes from, which must be one of the member's. `agency`: the route is about no client;
 * `list`: it answers with things of several clients, of the member's alone; `loaded`: of the post, account or schedule
 * that the handler loads. A client in the query may be absent, which makes the answer a list.
 */
export type ClientSource =
  | 'agency'
  | 'list'
  | 'loaded'
  | { readonly param: string }
  | { readonly query: string }
  | { readonly body: string }

/** A route of an agency without a least role and a source of its client doesn't compile. */
type Needs =
  | { readonly access: Exclude<Access, 'agency'>; readonly needs?: undefined; readonly client?: undefined }
  | {
      readonly access: 'agency'
      /** The least role. Rights on single posts come from the rules: see `can`. */
      readonly needs: MemberRole
      readonly client: ClientSource
    }

export type Route = RouteParts & Needs

interface RouteParts {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** OpenAPI style: `/api/clients/{id}`. */
  readonly path: `/api/${string}`
  readonly summary: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** The limit on a JSON body; see `maxBodyBytesOf` for the default. */
  readonly maxBodyBytes?: number
  /** Instead of `body`: raw bytes of these media types, up to a limit. */
  readonly raw?: { readonly type: `${string}/${string}`; readonly maxBytes: number; readonly example?: string }
  /** The reply's body; `null`: none. */
  readonly reply: z.ZodType | null
  /** Other shapes of the reply, by the query's `view`. */
  readonly views?: Readonly<Record<string, z.ZodType>>
  /**
   * The reply is a list, limited to 1,000 items or about 2 MB. `Link: <…>; rel="next"` leads to the next page, by the
   * query's `cursor`; `X-Total-Count` has the total number of items, where known.
   */
  readonly paged?: true
  /** Instead of a reply: endless server-sent events with this data. */
  readonly stream?: z.ZodType
  /** Instead of a reply: a generated file, streamed; media types by file format. */
  readonly file?: Readonly<Record<string, `${string}/${string}`>>
  /** Besides a reply: the same as server-sent events with this data, for clients that accept `text/event-stream`. */
  readonly events?: z.ZodType
  readonly status: 200 | 201 | 204 | 302
  /** Error answers beyond 400 (invalid), 401 and 404 (unknown), each with its meaning here. */
  readonly errors?: Readonly<Partial<Record<401 | 402 | 403 | 404 | 409 | 412 | 415 | 429 | 502 | 503, string>>>
  /** Also answers a member who has to add a second factor first: to add one, to leave, and to sign out. */
  readonly beforeFactor?: true
  /** Accepts an `Idempotency-Key`: the same key creates the same thing once. */
  readonly idempotent?: true
}

const kilobyte = 1024
/** Requests without a session are short forms: names, addresses, passwords of 1,024 characters. */
const maxPublicBodyBytes = 16 * kilobyte
const maxMemberBodyBytes = 64 * kilobyte
/** For a body with a post's text: 65,000 characters, each escaped in JSON (`\u00e9`), and its other fields. */
export const maxTextBodyBytes = 512 * kilobyte

/** The limit on the body of a route. */
export const maxBodyBytesOf = ({ raw, maxBodyBytes, access }: Route): number =>
  raw?.maxBytes ?? maxBodyBytes ?? (access === 'public' ? maxPublicBodyBytes : maxMemberBodyBytes)

/** An upload that was received completely and is kept on disk until it is read. */
export interface Upload {
  /** Bytes. */
  readonly size: number
  /** Reads it into memory. */
  read(): Promise<Uint8Array<ArrayBuffer>>
}

/** Keeps a route's exact types. */
export const route = <const R extends Route>(definition: R): R => definition

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Sent<S> = S extends z.ZodType ? z.input<S> : undefined
type Field<R, K extends string> = R extends { readonly [P in K]: infer S } ? S : undefined

/** A handler's input, after validation. */
export type Params<R extends Route> = Parsed<Field<R, 'params'>>
export type SearchParams<R extends Route> = Parsed<Field<R, 'query'>>
export type Body<R extends Route> = R extends { readonly raw: object } ? Upload : Parsed<Field<R, 'body'>>
/** A client's input, before validation. */
export type SentBody<R extends Route> = Sent<Field<R, 'body'>>
export type SentQuery<R extends Route> = Sent<Field<R, 'query'>>
type ViewsOf<R> = R extends { readonly views: infer Views } ? Views : Readonly<Record<never, z.ZodType>>
/** The `view` values of a route. */
export type ViewName<R extends Route> = keyof ViewsOf<R> & string
/** The reply in the shape of a view. */
export type ReplyAs<R extends Route, View extends ViewName<R>> = Parsed<ViewsOf<R>[View]>
export type Reply<R extends Route> = R['reply'] extends z.ZodType ? z.output<R['reply']> : undefined
