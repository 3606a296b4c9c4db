/** Things that go wrong on demand, so that tests can see what becomes of a post. */
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

/** `before` and `after` tell whether the step was done when it went wrong. */
export const faultSchema = z.object({
  platform: platformSchema,
  remoteId: z.string(),
  kind: z.enum(faultKinds),
  step: z.enum(faultSteps).default('publish'),
  /** How many of the account's next requests of that step it strikes. */
  times: z.int().min(1).default(1),
  /** Until the network takes requests again. Absent: 30, and a network that need not say so keeps it to itself. */
  retryAfterSeconds: z.int().min(1).optional(),
  /** How long `slow` takes. */
  delayMs: z.int().min(0).default(1_000),
})
export type Fault = z.output<typeof faultSchema>

/** Who is struck, and when. */
export interface Target {
  readonly platform: Platform
  readonly remoteId: string
  readonly step: FaultStep
}

export class Faults {
  readonly #planned = new Map<string, Fault[]>()

  plan(fault: Fault): void {
    const key = keyOf(fault)
    const planned = this.#planned.get(key) ?? []
    planned.push(...Array.from({ length: fault.times }, () => fault))
    this.#planned.set(key, planned)
  }

  /** The next fault that is planned for this, if any; it is used up. */
  next(target: Target): Fault | null {
    return this.#planned.get(keyOf(target))?.shift() ?? null
  }

  clear(): void {
    this.#planned.clear()
  }
}

const keyOf = ({ platform, remoteId, step }: Target) => `${platform}/${remoteId}/${step}`

/** How a network puts it when something goes wrong. */
export interface Troubles {
  rateLimited(response: Response, remoteId: string, seconds: number | null): void
  unauthorized(response: Response): void
  duplicate(response: Response): void
  failed(response: Response): void
}

/** Does a step of the protocol, with what was planned to go wrong. `act` does it and answers how to tell the caller. */
export async function underFaults(
  faults: Faults | null,
  troubles: Troubles,
  target: Target,
  { request, response }: { readonly request: Request; readonly response: Response },
  act: () => Promise<() => void> | (() => void),
): Promise<void> {
  const fault = faults?.next(target) ?? null
  if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.delayMs))
  if (fault && failsBefore(fault, troubles, request, response)) return
  const tell = await act()
  if (!fault?.kind.endsWith('-after')) return tell()
  if (fault.kind === 'reset-after') request.socket.resetAndDestroy()
  if (fault.kind === 'error-after') troubles.failed(response)
}

/** True when the fault has dealt with the request. A time-out leaves it open until the caller gives up. */
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
