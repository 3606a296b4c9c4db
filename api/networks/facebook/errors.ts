/** Maps the Graph API's errors. Instagram uses the same format, with additional codes. */
import { z } from 'zod'
import { retryAfterOf, words, type Answer } from '../http.ts'
import { lost, refused, refusedAs, unclear, type Refusal } from '../network-client.ts'
import { facebookWaits, graphCodes } from './settings.ts'

const errorBody = z.object({
  error: z.object({
    code: z.int(),
    error_subcode: z.int().optional(),
    message: z.string().optional(),
    /** Meta's message for an end user. */
    error_user_msg: z.string().optional(),
    is_transient: z.boolean().optional(),
  }),
})
export type GraphError = z.output<typeof errorBody>['error']

export function graphError({ body }: Answer): GraphError | null {
  const parsed = errorBody.safeParse(body)
  return parsed.success ? parsed.data.error : null
}

const oneOf = (codes: readonly number[], code: number) => codes.includes(code)
const within = ([from, to]: readonly [number, number], code: number) => code >= from && code <= to

export const isRate = (code: number): boolean => oneOf(graphCodes.rate, code) || within(graphCodes.rateRange, code)
export const isPermission = (code: number): boolean =>
  oneOf(graphCodes.permission, code) || within(graphCodes.permissionRange, code)
export const isNotThere = ({ code, error_subcode: subcode }: GraphError): boolean =>
  oneOf(graphCodes.invalid, code) && subcode === graphCodes.notThereSubcode
/** A metric or field that was retired, or is unavailable for this consent or post. */
export const isNotOffered = (error: GraphError): boolean =>
  (oneOf(graphCodes.invalid, error.code) && !isNotThere(error)) || isPermission(error.code)

/** Maps an unsuccessful response of Facebook's Graph API. */
export function judgeGraph(name: string, answer: Answer): Refusal {
  const { status } = answer
  const error = graphError(answer)
  if (!error) return judgeStatus(name, answer)
  const { code, error_subcode: subcode = 0 } = error
  // Graph sends some of these as a code, some as the subcode of a general one.
  const either = (codes: readonly number[]) => oneOf(codes, code) || oneOf(codes, subcode)
  if (oneOf(graphCodes.dead, code)) return lost(name)
  if (isRate(code)) return refused(`${name} asks us to slow down.`, 'wait', rateWait(answer.headers))
  if (either(graphCodes.tooFast))
    return refused(`${name} finds that this Page posts too fast.`, 'wait', facebookWaits.rate)
  if (oneOf(graphCodes.blocked, code))
    return refused(`${name} has blocked this account for a while.`, 'wait', facebookWaits.blocked)
  if (isPermission(code))
    return refused(
      `${name} no longer lets us do this for the account. Connect it again and allow everything.`,
      'reconnect',
    )
  if (either(graphCodes.duplicate))
    return refused(`${name} says that the same text was posted just now. Look at the profile first.`, 'check')
  if (either(graphCodes.photo))
    return refused(`${name} takes photos up to 4 MB, as JPEG, PNG or GIF. Change the image.`, 'edit')
  const isOwnFault = oneOf(graphCodes.ownFault, code) || error.is_transient === true
  if (isOwnFault || status === 408 || status >= 500) return unclear(name, status)
  if (isNotThere(error)) return refused(`${name} does not have this any more.`, 'edit')
  return refusedAs(name, status, words(error.error_user_msg ?? error.message), 'edit')
}

/** Maps a response without a Graph body: it comes from the edge, not from the API. */
export function judgeStatus(name: string, { status, headers }: Answer): Refusal {
  if (status === 401) return lost(name)
  if (status === 429) return refused(`${name} asks us to slow down.`, 'wait', rateWait(headers))
  // A request time-out doesn't prove that nothing was posted.
  if (status === 408) return unclear(name, status)
  if (status === 425) return refused(`${name} was too busy.`, 'wait')
  if (status >= 400 && status < 500) return refusedAs(name, status, null, 'edit')
  return unclear(name, status)
}

const businessUsage = z.record(
  z.string(),
  z.array(z.object({ estimated_time_to_regain_access: z.number().optional() })),
)
const appUsage = z.object({
  call_count: z.number().optional(),
  total_time: z.number().optional(),
  total_cputime: z.number().optional(),
})
const hour = 3_600

/**
 * Seconds until calls are accepted again. `X-Business-Use-Case-Usage` gives minutes. `X-App-Usage` gives percentages of
 * a rolling hour: the part over 100 must leave the window first.
 */
export function rateWait(headers: Headers): number {
  const asked = retryAfterOf(headers)
  if (asked !== null) return asked
  const business = businessUsage.safeParse(json(headers.get('x-business-use-case-usage')))
  const uses = business.success ? Object.values(business.data).flat() : []
  const minutes = Math.max(0, ...uses.map((use) => use.estimated_time_to_regain_access ?? 0))
  if (minutes > 0) return minutes * 60
  const app = appUsage.safeParse(json(headers.get('x-app-usage')))
  const percent = app.success ? Math.max(0, ...Object.values(app.data).filter((value) => value !== undefined)) : 0
  return Math.max(facebookWaits.rate, percent > 100 ? Math.ceil((hour * (percent - 100)) / percent) : 0)
}

function json(header: string | null): unknown {
  try {
    return JSON.parse(header ?? 'null')
  } catch {
    return null
  }
}
