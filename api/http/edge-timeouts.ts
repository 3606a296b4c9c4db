/** How long a caller may take for each part of a request, in milliseconds. Tests set shorter ones. */
import { defaultBodyMs } from './bounded-body.ts'
import { outgoingBounds } from './outgoing.ts'

export interface EdgeTimeouts {
  /** Until the headers are whole. */
  readonly headersMs: number
  /** Until the request is whole: an upload. */
  readonly requestMs: number
  /** Until a body that is held in memory is whole. */
  readonly bodyMs: number
  /** Without a byte in either direction. Live updates are sent more often than this. */
  readonly idleMs: number
  /** Without taking any of an answer that waits. */
  readonly stallMs: number
  /** How often Node looks for requests that are late. */
  readonly checkMs: number
}

export const edgeTimeouts: EdgeTimeouts = {
  headersMs: 15_000,
  requestMs: 120_000,
  bodyMs: defaultBodyMs,
  idleMs: 120_000,
  stallMs: outgoingBounds.stallMs,
  checkMs: 5_000,
}
