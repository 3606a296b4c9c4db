/** The networks' part of the environment: an app's id and secret make a network live. */
import { z } from 'zod'
import { isLoopback } from '../core/public-url.ts'

const given = z.string().min(1).optional()
const address = z
  .url({ protocol: /^https?$/, error: 'an address like https://graph.example' })
  .transform((url) => url.replace(/\/+$/, ''))
  .optional()
const graphVersion = z
  .string()
  .regex(/^v\d+\.\d+$/, 'a version like v25.0')
  .optional()

/** Meant to be spread into the environment's schema. An absent variable has its default in the connector's settings. */
export const networkEnvironment = {
  FACEBOOK_APP_ID: given,
  FACEBOOK_APP_SECRET: given,
  FACEBOOK_DIALOG_URL: address,
  FACEBOOK_GRAPH_URL: address,
  FACEBOOK_API_VERSION: graphVersion,
  INSTAGRAM_APP_ID: given,
  INSTAGRAM_APP_SECRET: given,
  INSTAGRAM_WWW_URL: address,
  INSTAGRAM_API_URL: address,
  INSTAGRAM_GRAPH_URL: address,
  INSTAGRAM_API_VERSION: graphVersion,
  X_CLIENT_ID: given,
  X_CLIENT_SECRET: given,
  X_AUTHORIZE_URL: address,
  X_API_URL: address,
  LINKEDIN_CLIENT_ID: given,
  LINKEDIN_CLIENT_SECRET: given,
  LINKEDIN_WWW_URL: address,
  LINKEDIN_API_URL: address,
  LINKEDIN_VERSION: z
    .string()
    .regex(/^\d{6}$/, 'a version like 202607')
    .optional(),
  LINKEDIN_SCOPE: given,
}

const shape = z.object(networkEnvironment)
export type NetworkSettings = z.output<typeof shape>

const pairs = [
  ['FACEBOOK_APP_ID', 'FACEBOOK_APP_SECRET'],
  ['INSTAGRAM_APP_ID', 'INSTAGRAM_APP_SECRET'],
  ['X_CLIENT_ID', 'X_CLIENT_SECRET'],
  ['LINKEDIN_CLIENT_ID', 'LINKEDIN_CLIENT_SECRET'],
] as const

/**
 * Warnings for the operator that don't stop the start: one sentence each, never a value. @param publicUrl where
 * browsers and networks reach this server
 */
export function warningsOf(settings: NetworkSettings, publicUrl: string): string[] {
  const warnings = pairs.flatMap(([id, secret]) => {
    if (settings[id] !== undefined) return []
    const prefix = id.slice(0, id.indexOf('_') + 1)
    const names = shape.keyof().options.filter((name) => name.startsWith(prefix) && settings[name] !== undefined)
    return names.map((name) => `${name} has no effect without ${id} and ${secret}.`)
  })
  const { hostname } = new URL(publicUrl)
  if (settings.INSTAGRAM_APP_ID !== undefined && isLoopback(hostname)) {
    warnings.push(
      `Instagram can't fetch images from ${hostname}, so nothing can be published there. Set PUBLIC_URL to an address that the internet can reach.`,
    )
  }
  return warnings
}

/** Errors for an id without its secret, or a secret without its id: `NAME: sentence`, one each; never a value. */
export function halfPairs(settings: NetworkSettings): string[] {
  return pairs.flatMap(([id, secret]) => {
    if ((settings[id] === undefined) === (settings[secret] === undefined)) return []
    const [missing, there] = settings[id] === undefined ? [id, secret] : [secret, id]
    return [`${missing}: missing, because ${there} is set; a network needs both, or neither`]
  })
}
