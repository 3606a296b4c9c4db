/**
 * Shared by Facebook and Instagram: error format and tokens.
 * https://developers.facebook.com/docs/graph-api/guides/error-handling
 */
import { randomBytes } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import type { Platform } from '../../domain/core/values.ts'
import type { Troubles } from './faults.ts'
import { bearerOf, given, type SandboxPorts } from './ports.ts'
import { works, type Holder } from './store/tokens.ts'

export interface MetaProblem {
  readonly code: number
  readonly message: string
  readonly subcode?: number
  readonly status?: number
  readonly transient?: boolean
}

export function refuse(
  response: Response,
  { code, message, subcode, status = 400, transient = false }: MetaProblem,
): null {
  const trace = randomBytes(8).toString('base64url')
  response
    .status(status)
    .set('x-fb-trace-id', trace)
    .set('www-authenticate', `OAuth "Facebook Platform" "invalid_request" "${message.replaceAll(/[^ -~]|"/g, '')}"`)
    .json({
      error: {
        message,
        type: 'OAuthException',
        code,
        ...(subcode === undefined ? {} : { error_subcode: subcode }),
        is_transient: transient,
        fbtrace_id: trace,
      },
    })
  return null
}

const dead = (message: string, subcode?: number): MetaProblem => ({
  status: 401,
  code: 190,
  message,
  ...(subcode === undefined ? {} : { subcode }),
})

/** @param code the business use case's error code: 80001 for Pages, 80002 for Instagram */
export const metaTroubles = (type: 'pages' | 'instagram', code: 80001 | 80002): Troubles => ({
  rateLimited(response, remoteId, seconds) {
    const usage = {
      type,
      call_count: 100,
      total_cputime: 25,
      total_time: 25,
      estimated_time_to_regain_access: Math.ceil((seconds ?? 30) / 60),
    }
    response.set('X-Business-Use-Case-Usage', JSON.stringify({ [remoteId]: [usage] }))
    refuse(response, {
      code,
      message: `(#${code}) There have been too many calls to this account. Wait a bit and try again.`,
    })
  },
  unauthorized: (response) =>
    void refuse(
      response,
      dead(
        'Error validating access token: The session has been invalidated because the user changed their password.',
        460,
      ),
    ),
  duplicate: (response) => void refuse(response, { code: 506, subcode: 1455006, message: 'Duplicate status message' }),
  failed: (response) =>
    void refuse(response, {
      status: 500,
      code: 2,
      transient: true,
      message: 'An unexpected error has occurred. Please retry your request later.',
    }),
})

/** Meta accepts a token in the header, the query or the form. */
export const keyIn = (request: Request): string => bearerOf(request) ?? given(request, 'access_token')

/** Checks a token in the header or query before the body is read; one in the form is checked afterwards. */
export const keyFirst =
  (isGood: (request: Request, response: Response) => boolean): RequestHandler =>
  (request, response, next) => {
    if (keyIn(request) === '' || isGood(request, response)) next()
  }

/** The token's holder; null after an error response. */
export function holderOf(
  { store, clock }: SandboxPorts,
  platform: Platform,
  request: Request,
  response: Response,
  scope?: string,
): Holder | null {
  const key = keyIn(request)
  if (key === '')
    return refuse(response, {
      code: 2500,
      message: 'An active access token must be used to query information about the current user.',
    })
  const holder = store.tokens.holder(platform, key)
  if (!holder) return refuse(response, dead('Invalid OAuth access token - Cannot parse access token'))
  if (holder.state !== 'good')
    return refuse(response, dead('Error validating access token: The user has not authorized application.', 458))
  if (!works(holder, clock.now()))
    return refuse(response, dead('Error validating access token: Session has expired.', 463))
  if (scope !== undefined && !scopesOf(holder).has(scope)) {
    return refuse(response, {
      status: 403,
      code: 200,
      message: `(#200) Requires ${scope} permission to manage the object`,
    })
  }
  return holder
}

export const scopesOf = ({ scope }: { readonly scope: string }): ReadonlySet<string> => new Set(scope.split(/[ ,]+/))

export const unknownObject = (id: string): MetaProblem => ({
  code: 100,
  subcode: 33,
  message: `Unsupported get request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
})
