/** The sandbox networks' shared ports, and helpers that read a request. */
import type { Request } from 'express'
import type { Instant } from '../../domain/core/event.ts'
import type { Platform } from '../../domain/core/values.ts'
import type { Clock } from '../core/clock.ts'
import type { Bodies } from './bodies.ts'
import type { Faults } from './faults.ts'
import type { Limits } from './limits.ts'
import type { SandboxStore } from './store/store.ts'

/** The image at a URL; null when there is none. Sizes in bytes and pixels. */
export interface FoundImage {
  readonly type: string
  readonly size: number
  readonly width: number
  readonly height: number
}
export type FetchImage = (url: string) => Promise<FoundImage | null>

/** Whether the visitor may see the pages for users: they show all users' profiles and posts. */
export type MayLook = (request: Request) => Promise<boolean>

export interface SandboxPorts {
  readonly store: SandboxStore
  readonly clock: Clock
  /** The sandbox's base URL for browsers, without a trailing slash. */
  readonly base: string
  /** Origins that a consent may redirect to: any other would make this server an open redirector. */
  readonly returnOrigins: readonly string[]
  /** Null: no injected faults. */
  readonly faults: Faults | null
  readonly limits: Limits
  readonly fetchImage: FetchImage
  readonly mayLook: MayLook
  readonly bodies: Bodies
}

export const bearerOf = (request: Request): string | null =>
  /^Bearer (\S+)$/i.exec(request.get('authorization') ?? '')?.[1] ?? null

/** A parameter of the query or form; empty when it is absent or repeated. */
export function given(request: Request, name: string): string {
  const asked = request.query[name]
  if (typeof asked === 'string') return asked
  const body: unknown = request.body
  const sent =
    typeof body === 'object' && body !== null && Object.hasOwn(body, name)
      ? Object.entries(body).find(([key]) => key === name)?.[1]
      : undefined
  return typeof sent === 'string' ? sent : ''
}

/** The requested page size, within the network's maximum. */
export function pageSize(asked: string, usual: number, most: number): number {
  const count = Number(asked)
  return Number.isInteger(count) && count > 0 ? Math.min(count, most) : usual
}

/** The first path segment of a network's routes here. */
export const networkPath = (platform: Platform): string => (platform === 'twitter' ? 'x' : platform)

export const unixSeconds = (at: Instant): number => Math.floor(Date.parse(at) / 1000)

/** A time in Meta's format, in whole seconds. */
export const metaTime = (at: Instant): string => at.replace(/\.\d+Z$/, '+0000')

export const feedUrl = (
  base: string,
  { platform, remoteId, id }: { readonly platform: string; readonly remoteId: string; readonly id: string },
): string => `${base}/feeds/${platform}/${remoteId}/${id}`
