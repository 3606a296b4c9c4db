/** Timeouts for each part of a request, in milliseconds. Tests set shorter ones. */
import { defaultBodyMs } from './bounded-body.ts'
import { outgoingBounds } from './outgoing.ts'

export interface EdgeTimeouts {
  /** Until the headers are complete. */
  readonly headersMs: number
  /** Until the request is complete: for an upload. */
  readonly requestMs: number
  /** Until a body that is held in memory is complete. */
  readonly bodyMs: number
  /** Without a byte in either direction. Live updates send more often than this. */
  readonly idleMs: number
  /** Without any progress in sending an answer. */
  readonly stallMs: number
  /** The interval at which Node checks for late requests. */
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
