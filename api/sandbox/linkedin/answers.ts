/**
 * LinkedIn's responses, and the token of a request.
 * https://learn.microsoft.com/linkedin/shared/api-guide/concepts/error-handling
 */
import type { Request, RequestHandler, Response } from 'express'
import type { Troubles } from '../faults.ts'
import { bearerOf, type SandboxPorts } from '../ports.ts'
import { works, type Holder } from '../store/tokens.ts'

export interface LinkedinProblem {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly serviceErrorCode?: number
}

export function refuse(response: Response, { status, code, message, serviceErrorCode }: LinkedinProblem): null {
  response
    .status(status)
    .json({ status, ...(serviceErrorCode === undefined ? {} : { serviceErrorCode }), code, message })
  return null
}

export const forbidden = (response: Response, what: string): null =>
  refuse(response, {
    status: 403,
    serviceErrorCode: 100,
    code: 'ACCESS_DENIED',
    message: `Not enough permissions to access: ${what}`,
  })
export const invalid = (response: Response, message: string): null =>
  refuse(response, { status: 400, code: 'INVALID_REQUEST', message })
export const missing = (response: Response, what: string): null =>
  refuse(response, { status: 404, code: 'NOT_FOUND', message: `Could not find entity ${what}` })

const dead = {
  invalid: { status: 401, serviceErrorCode: 65600, code: 'INVALID_ACCESS_TOKEN', message: 'Invalid access token' },
  revoked: {
    status: 401,
    serviceErrorCode: 65601,
    code: 'REVOKED_ACCESS_TOKEN',
    message: 'The token used in the request has been revoked by the user',
  },
  expired: {
    status: 401,
    serviceErrorCode: 65602,
    code: 'EXPIRED_ACCESS_TOKEN',
    message: 'The token used in the request has expired',
  },
} as const

/** LinkedIn documents no `Retry-After`: its limits reset daily (UTC). A test that sets a time gets one all the same. */
export const linkedinTroubles: Troubles = {
  rateLimited(response, _, seconds) {
    if (seconds !== null) response.set('Retry-After', String(seconds))
    const message = 'Resource level throttle limit for calls to this resource is reached.'
    refuse(response, { status: 429, serviceErrorCode: 101, code: 'TOO_MANY_REQUESTS', message })
  },
  unauthorized: (response) => void refuse(response, dead.revoked),
  duplicate: (response) =>
    void refuse(response, {
      status: 422,
      code: 'DUPLICATE_POST',
      message: 'Content is a duplicate of urn:li:share:7000000000000000000',
    }),
  failed: (response) =>
    void refuse(response, { status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'Internal Server Error' }),
}

/** Every request under /rest must have the version and protocol headers. */
export const versioned: RequestHandler = (request, response, next) => {
  const version = request.get('linkedin-version') ?? ''
  if (version === '')
    return void refuse(response, {
      status: 400,
      code: 'VERSION_MISSING',
      message: 'A version must be present in the LinkedIn-Version header.',
    })
  if (!/^20\d{2}(0[1-9]|1[0-2])$/.test(version)) {
    return void refuse(response, {
      status: 426,
      code: 'NONEXISTENT_VERSION',
      message: `Requested version ${version} is not active`,
    })
  }
  if (request.get('x-restli-protocol-version') !== '2.0.0')
    return void invalid(response, 'X-Restli-Protocol-Version 2.0.0 is required')
  next()
}

/** Rejects a request without a valid token, before its body is read. */
export const withKey =
  (ports: SandboxPorts): RequestHandler =>
  (request, response, next) => {
    if (holderOf(ports, request, response)) next()
  }

/** The token's holder; null after an error response. */
export function holderOf({ store, clock }: SandboxPorts, request: Request, response: Response): Holder | null {
  const key = bearerOf(request)
  const holder = key === null ? null : store.tokens.holder('linkedin', key)
  if (!holder || holder.kind !== 'access') return refuse(response, dead.invalid)
  if (works(holder, clock.now())) return holder
  return refuse(response, holder.state === 'good' ? dead.expired : dead.revoked)
}

export const isOrganization = (urn: string) => urn.startsWith('urn:li:organization:')

/** True when the consent covers that profile and one of the scopes for its kind; false after an error response. */
export function may(
  { store }: SandboxPorts,
  response: Response,
  holder: Holder,
  profile: string,
  scopes: { readonly member: readonly string[]; readonly organization: readonly string[] },
): boolean {
  const wanted = isOrganization(profile) ? scopes.organization : scopes.member
  const granted = holder.scope.split(' ')
  const allowed = wanted.some((scope) => granted.includes(scope)) && store.profiles.covers(holder.consent, profile)
  if (!allowed) forbidden(response, profile)
  return allowed
}
