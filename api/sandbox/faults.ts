/** Injectable faults, so that tests can see their effect on a post. */
import type { Request, Response } from 'express'
import { z } from 'zod'
import { platformSchema, type Platform } from '../../domain/core/values.ts'

export const faultKinds = [
  'timeout-before',
  'timeout-after',
  'reset-before',
  'reset-after',
  'error-before',
  'error-after',
  'rate-limited',
  'unauthorized',
  'duplicate',
  'slow',
] as const

export const faultSteps = ['publish', 'prepare', 'lookup', 'metrics', 'renew'] as const
export type FaultStep = (typeof faultSteps)[number]

/** `before` and `after` say whether the step took effect before the failure. */
export const faultSchema = z.object({
  platform: platformSchema,
  remoteId: z.string(),
  kind: z.enum(faultKinds),
  step: z.enum(faultSteps).default('publish'),
  /** How many of the account's next requests for that step fail. */
  times: z.int().min(1).default(1),
  /** The retry-after. Absent: 30, and a network without such a header does not send it. */
  retryAfterSeconds: z.int().min(1).optional(),
  /** The delay of a `slow` request. */
  delayMs: z.int().min(0).default(1_000),
})
export type Fault = z.output<typeof faultSchema>

/** The requests that a fault affects. */
export interface Target {
  readonly platform: Platform
  readonly remoteId: string
  readonly step: FaultStep
}

export class Faults {
  /** @param leftOpen called with each request that a timeout leaves without an answer */
  constructor(readonly leftOpen: (request: Request) => void = () => {}) {}

  readonly #planned = new Map<string, Fault[]>()

  plan(fault: Fault): void {
    const key = keyOf(fault)
    const planned = this.#planned.get(key) ?? []
    planned.push(...Array.from({ length: fault.times }, () => fault))
    this.#planned.set(key, planned)
  }

  /** The next planned fault for the target, if any; it is consumed. */
  next(target: Target): Fault | null {
    return this.#planned.get(keyOf(target))?.shift() ?? null
  }

  clear(): void {
    this.#planned.clear()
  }
}

const keyOf = ({ platform, remoteId, step }: Target) => `${platform}/${remoteId}/${step}`

/** How a network reports each kind of failure. */
export interface Troubles {
  rateLimited(response: Response, remoteId: string, seconds: number | null): void
  unauthorized(response: Response): void
  duplicate(response: Response): void
  failed(response: Response): void
}

/**
 * Runs a step of the protocol with its planned fault. `act` performs it and returns a function that sends the response.
 */
export async function underFaults(
  faults: Faults | null,
  troubles: Troubles,
  target: Target,
  { request, response }: { readonly request: Request; readonly response: Response },
  act: () => Promise<() => void> | (() => void),
): Promise<void> {
  const fault = faults?.next(target) ?? null
  if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.delayMs))
  if (fault && failsBefore(fault, troubles, request, response)) {
    if (fault.kind === 'timeout-before') faults?.leftOpen(request)
    return
  }
  const tell = await act()
  if (!fault?.kind.endsWith('-after')) return tell()
  if (fault.kind === 'timeout-after') faults?.leftOpen(request)
  if (fault.kind === 'reset-after') request.socket.resetAndDestroy()
  if (fault.kind === 'error-after') troubles.failed(response)
}

/** True when the fault has handled the request. A timeout leaves it open until the client gives up. */
function failsBefore(
  { kind, remoteId, retryAfterSeconds }: Fault,
  troubles: Troubles,
  request: Request,
  response: Response,
): boolean {
  if (kind === 'timeout-before') return true
  if (kind === 'reset-before') request.socket.resetAndDestroy()
  else if (kind === 'error-before') troubles.failed(response)
  else if (kind === 'unauthorized') troubles.unauthorized(response)
  else if (kind === 'duplicate') troubles.duplicate(response)
  else if (kind === 'rate-limited') troubles.rateLimited(response, remoteId, retryAfterSeconds ?? null)
  else return false
  return true
}
