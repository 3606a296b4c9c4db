/** What the sandbox networks share, and how they read a request. */
import type { Request } from 'express'
import type { Instant } from '../../domain/core/event.ts'
import type { Platform } from '../../domain/core/values.ts'
import type { Clock } from '../core/clock.ts'
import type { Bodies } from './bodies.ts'
import type { Faults } from './faults.ts'
import type { Limits } from './limits.ts'
import type { SandboxStore } from './store/store.ts'

/** What a network finds at an image's address; null when there is none to fetch. Sizes in bytes and pixels. */
export interface FoundImage {
  readonly type: string
  readonly size: number
  readonly width: number
  readonly height: number
}
export type FetchImage = (url: string) => Promise<FoundImage | null>

/** Whether who asks may see the pages for people: they show everybody's profiles and posts. */
export type MayLook = (request: Request) => Promise<boolean>

export interface SandboxPorts {
  readonly store: SandboxStore
  readonly clock: Clock
  /** Where browsers reach the sandbox, without a slash at the end. */
  readonly base: string
  /** Origins that a consent may return to: anything else would make this server an open redirector. */
  readonly returnOrigins: readonly string[]
  /** Null: nothing goes wrong on demand. */
  readonly faults: Faults | null
  readonly limits: Limits
  readonly fetchImage: FetchImage
  readonly mayLook: MayLook
  readonly bodies: Bodies
}

export const bearerOf = (request: Request): string | null =>
  /^Bearer (\S+)$/i.exec(request.get('authorization') ?? '')?.[1] ?? null

/** A parameter of the query, or of a form; empty when it is absent or there twice. */
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

/** A number of things asked for, within what the network gives at once. */
export function pageSize(asked: string, usual: number, most: number): number {
  const count = Number(asked)
  return Number.isInteger(count) && count > 0 ? Math.min(count, most) : usual
}

/** The first step of a network's addresses here. */
export const networkPath = (platform: Platform): string => (platform === 'twitter' ? 'x' : platform)

export const unixSeconds = (at: Instant): number => Math.floor(Date.parse(at) / 1000)

/** As Meta's networks write a time: to the second. */
export const metaTime = (at: Instant): string => at.replace(/\.\d+Z$/, '+0000')

export const feedUrl = (
  base: string,
  { platform, remoteId, id }: { readonly platform: string; readonly remoteId: string; readonly id: string },
): string => `${base}/feeds/${platform}/${remoteId}/${id}`
