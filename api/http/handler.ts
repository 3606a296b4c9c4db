/** What a route's code gets, and what it answers. */
import type { Writable } from 'node:stream'
import type { Agency } from '../../domain/agency/state.ts'
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
import type { AnyRefusal, CommandContext, CommandResult, AppendedEvent } from '../core/command-handler.ts'
import type { AggregateScope } from '../core/aggregates.ts'
import { problemOf } from './sentences.ts'

interface Request {
  readonly address: string
  /** What this browser was given when somebody signed in with it before, else null. */
  readonly device: string | null
  readonly requestId: string
  /** From `Idempotency-Key`, else null. */
  readonly idempotencyKey: string | null
  /** How far a stream was read before it broke off, from `Last-Event-ID`, else null. */
  readonly lastEventId: string | null
  /** Waits until the views have the events (2 s at most); false when they still don't: the answer then says so. */
  readonly visible: (appendedEvents: readonly AppendedEvent[]) => Promise<boolean>
}

/** For what takes its time. */
interface Attended {
  /** Whether the answer is wanted as events, as it comes about. */
  readonly wantsEvents: boolean
  /** Aborted when whoever asked doesn't wait any more. */
  readonly gone: () => AbortSignal
}

interface SignedIn {
  readonly session: Session
}

export interface OfAgency extends SignedIn {
  readonly agencyId: string
  /** The agency as the log has it now: its zone, its standing, its roster. For what only shows it, as the views have it while the log is away. */
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
  /** A cookie to set; null takes it away. */
  readonly cookie?: string | null
  /** What the browser is to be known by from now on. */
  readonly device?: string
  readonly etag?: string
  /** For a list: where its next page begins, null on the last; and how many items there are in all, where that is known. */
  readonly page?: { readonly next: string | null; readonly total?: number }
  /** For a route that answers with a file: lines with their ends. */
  readonly file?: { readonly name: string; readonly kind: string; readonly lines: AsyncIterable<string> }
  /** For a route that streams: writes to the open answer, and ends it. */
  readonly stream?: (to: Writable) => void
}

type Streamed<R extends Route> = R extends { readonly events: object }
  ? { readonly body?: undefined; readonly stream: NonNullable<Extras['stream']> }
  : never

/** In its usual shape, or in one of its views. */
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
