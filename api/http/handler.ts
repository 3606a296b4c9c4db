/** The input and output of a route's handler. */
import type { Writable } from 'node:stream'
import type { Agency } from '../../domain/agency/state.ts'
import type { Member } from '../../domain/agency/team-state.ts'
import type { Refused } from '../../domain/core/decider.ts'
import type {
  Body,
  Params,
  Reply,
  ReplyAs,
  Route,
  RouteName,
  Routes,
  SearchParams,
  ViewName,
} from '../contract/index.ts'
import type { Session } from './session.ts'
import type { CommandContext, CommandResult, AppendedEvent } from '../core/command-handler.ts'
import type { AnyRefusal } from '../core/commands.ts'
import type { AggregateScope } from '../core/aggregates.ts'
import { problemOf } from './sentences.ts'

interface Request {
  readonly address: string
  /** The device cookie of a browser that signed in before, else null. */
  readonly device: string | null
  /** The cookie of a sign-in under way, else null. */
  readonly signIn: string | null
  /** The cookie of a visit to the provider of single sign-on, else null. */
  readonly oidc: string | null
  /** At most 500 characters. */
  readonly userAgent: string
  readonly requestId: string
  /** From `Idempotency-Key`, else null. */
  readonly idempotencyKey: string | null
  /** The last event received before a stream broke, from `Last-Event-ID`, else null. */
  readonly lastEventId: string | null
  /** Counts points for the work of this request. @throws Problem 429 with Retry-After */
  readonly charge: (points: number) => Promise<void>
  /**
   * Waits until the views have the events; false when they still don't: the answer then says so. All waits of a request
   * take 2 s at most, and after a false no more.
   */
  readonly visible: (appendedEvents: readonly AppendedEvent[]) => Promise<boolean>
}

/** For slow requests. */
interface Attended {
  /** Whether the client asked for the answer as server-sent events. */
  readonly wantsEvents: boolean
  /** Aborted when the client disconnects. */
  readonly gone: () => AbortSignal
}

interface SignedIn {
  readonly session: Session
}

export interface OfAgency extends SignedIn {
  readonly agencyId: string
  /** The acting member. */
  readonly me: Member
  /**
   * The agency from the log: its time zone, standing, and the clients that the member works for. Read-only routes get
   * it from the view while the event store is down.
   */
  readonly loadAgency: () => Promise<Agency>
  /** What this request has loaded: pass it to loads and commands, so that each stream is read once. */
  readonly aggregates: AggregateScope
  /** Who acts, for the events that come of it. */
  readonly by: CommandContext
}

type Who<R extends Route> = R['access'] extends 'agency'
  ? OfAgency
  : R['access'] extends 'user'
    ? SignedIn
    : { readonly session: Session | null }

interface Parts<P, Q, B> {
  readonly params: P
  readonly query: Q
  readonly body: B
}

export type Ask<R extends Route> = Request &
  Parts<Params<R>, SearchParams<R>, Body<R>> &
  Who<R> &
  (R extends { readonly events: object } ? Attended : unknown)

export interface Extras {
  readonly redirect?: string
  /** A cookie to set; null deletes it. */
  readonly cookie?: string | null
  /** The new device cookie. */
  readonly device?: string
  /** The cookie of a sign-in under way; null deletes it. */
  readonly signIn?: string | null
  /** The cookie of a visit to the provider of single sign-on; null deletes it. */
  readonly oidc?: string | null
  readonly etag?: string
  /** For a list: the cursor of its next page, null on the last; and the total number of items, where known. */
  readonly page?: { readonly next: string | null; readonly total?: number }
  /** For a route that answers with a file: its lines, with line ends. */
  readonly file?: { readonly name: string; readonly kind: string; readonly lines: AsyncIterable<string> }
  /** For a route that streams: writes to the open answer and ends it. */
  readonly stream?: (to: Writable) => void
}

type Streamed<R extends Route> = R extends { readonly events: object }
  ? { readonly body?: undefined; readonly stream: NonNullable<Extras['stream']> }
  : never

/** In its default shape, or in one of its views. */
type Replied<R extends Route> = Reply<R> | ReplyAs<R, ViewName<R>>

export type Answer<R extends Route> = Extras &
  ((R['reply'] extends null ? { readonly body?: undefined } : { readonly body: Replied<R> }) | Streamed<R>)

export type RouteHandler<R extends Route> = (ask: Ask<R>) => Promise<Answer<R>>

/** One handler for each route of the contract: a missing one doesn't compile. */
export type Handlers<Names extends RouteName = RouteName> = {
  readonly [Name in Names]: RouteHandler<Routes[Name]>
}

/** Unwraps a command's result. @throws Problem with the refusal's sentence */
export function accepted<State, R extends AnyRefusal>(result: CommandResult<State> | Refused<R>): CommandResult<State> {
  if ('refused' in result) throw problemOf(result.refused)
  return result
}

/** A handler whose route is known only at run time. */
export type AnyHandler = (
  ask: Request & Attended & Parts<unknown, unknown, unknown> & (OfAgency | { readonly session: Session | null }),
) => Promise<Extras & { readonly body?: unknown }>
