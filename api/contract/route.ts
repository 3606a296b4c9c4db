/** A route as data: what the server binds, OpenAPI documents and the web's client calls. */
import type { z } from 'zod'

/** `public`: anybody; `user`: signed in; `agency`: signed in and owner of an agency. */
export type Access = 'public' | 'user' | 'agency'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** OpenAPI style: `/api/clients/{id}`. */
  readonly path: `/api/${string}`
  readonly access: Access
  readonly summary: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** The most bytes of a JSON body; see `maxBodyBytesOf` for the default. */
  readonly maxBodyBytes?: number
  /** Instead of `body`: bytes as they come, of these media types, at most so many. */
  readonly raw?: { readonly type: `${string}/${string}`; readonly maxBytes: number; readonly example?: string }
  /** The reply's body; `null`: none. */
  readonly reply: z.ZodType | null
  /** Other shapes of the reply, by the value of the query's `view`. */
  readonly views?: Readonly<Record<string, z.ZodType>>
  /**
   * The reply is a list that ends where it is full (1,000 items or about 2 MB). `Link: <…>; rel="next"` then leads on, by
   * the query's `cursor`; `X-Total-Count` says how many items there are in all, where that is known.
   */
  readonly paged?: true
  /** Instead of a reply: server-sent events that never end, each with such data. */
  readonly stream?: z.ZodType
  /** Instead of a reply: a file that is made while it is read, by its kind the media type. */
  readonly file?: Readonly<Record<string, `${string}/${string}`>>
  /** Besides a reply: the same as it comes about, as server-sent events with such data, for who accepts `text/event-stream`. */
  readonly events?: z.ZodType
  readonly status: 200 | 201 | 204 | 302
  /** Error answers beyond 400 (invalid), 401 and 404 (unknown), each with what it means here. */
  readonly errors?: Readonly<Partial<Record<401 | 402 | 403 | 404 | 409 | 412 | 415 | 429 | 502 | 503, string>>>
  /** Takes an `Idempotency-Key`: the same key gives the same thing, made once. */
  readonly idempotent?: true
}

const kilobyte = 1024
/** Without a session only short forms are sent: names, addresses, passwords of 1,024 characters. */
const maxPublicBodyBytes = 16 * kilobyte
const maxMemberBodyBytes = 64 * kilobyte
/** Of a body with a post's text: 65,000 characters that are each escaped in JSON (`\u00e9`), and its other fields. */
export const maxTextBodyBytes = 512 * kilobyte

/** The most bytes that the body of a route may have. */
export const maxBodyBytesOf = ({ raw, maxBodyBytes, access }: Route): number =>
  raw?.maxBytes ?? maxBodyBytes ?? (access === 'public' ? maxPublicBodyBytes : maxMemberBodyBytes)

/** Bytes that were received whole and are kept outside of memory until they are read. */
export interface Upload {
  /** Bytes. */
  readonly size: number
  /** Takes them into memory. */
  read(): Promise<Uint8Array<ArrayBuffer>>
}

/** Keeps a route's exact types. */
export const route = <const R extends Route>(definition: R): R => definition

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Sent<S> = S extends z.ZodType ? z.input<S> : undefined
type Field<R, K extends string> = R extends { readonly [P in K]: infer S } ? S : undefined

/** What a handler gets, after validation. */
export type Params<R extends Route> = Parsed<Field<R, 'params'>>
export type SearchParams<R extends Route> = Parsed<Field<R, 'query'>>
export type Body<R extends Route> = R extends { readonly raw: object } ? Upload : Parsed<Field<R, 'body'>>
/** What a caller sends, before validation. */
export type SentBody<R extends Route> = Sent<Field<R, 'body'>>
export type SentQuery<R extends Route> = Sent<Field<R, 'query'>>
type ViewsOf<R> = R extends { readonly views: infer Views } ? Views : Readonly<Record<never, z.ZodType>>
/** The values of the query's `view` that a route knows. */
export type ViewName<R extends Route> = keyof ViewsOf<R> & string
/** The reply in the shape that a view asks for. */
export type ReplyAs<R extends Route, View extends ViewName<R>> = Parsed<ViewsOf<R>[View]>
export type Reply<R extends Route> = R['reply'] extends z.ZodType ? z.output<R['reply']> : undefined
