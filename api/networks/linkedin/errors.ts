/** Maps LinkedIn's errors. learn.microsoft.com/linkedin/shared/api-guide/concepts/error-handling */
import { z } from 'zod'
import type { Instant } from '../../../domain/core/event.ts'
import { retryAfterOf, words, type Answer } from '../http.ts'
import { lost, refused, refusedAs, unclear, type Refusal } from '../network-client.ts'
import { linkedinWaits } from './settings.ts'

const problem = z.object({ message: z.string().optional(), code: z.string().optional() })

export const judgeLinkedIn =
  (now: () => Instant) =>
  (name: string, { status, headers, body }: Answer): Refusal => {
    const { data: said = {} } = problem.safeParse(body)
    if (status === 401) return lost(name)
    if (status === 403)
      return refused(
        `${name} does not let us do this for the account. Connect it again and allow everything.`,
        'reconnect',
      )
    if (status === 426) return refused(retired(name), 'wait', linkedinWaits.version)
    if (status === 429)
      return refused(`${name} takes no more requests for now.`, 'wait', rateWait(headers, Date.parse(now())))
    if (status < 500 && /duplicate/i.test(`${said.code ?? ''} ${said.message ?? ''}`)) {
      return refused(`${name} says that the same text was posted just now. Look at the profile first.`, 'check')
    }
    // A request time-out doesn't prove that nothing was posted.
    if (status === 408) return unclear(name, status)
    if (status === 425) return refused(`${name} was too busy.`, 'wait')
    if (status >= 400 && status < 500) return refusedAs(name, status, words(said.message), 'edit')
    return unclear(name, status)
  }

const retired = (name: string) =>
  `${name} has retired the version of its interface that this server speaks. Tell the operator of this server.`

/** Seconds until the next midnight UTC, at most an hour at a time. */
function rateWait(headers: Headers, now: number): number {
  const dayMs = 24 * 3_600_000
  const untilMidnight = Math.ceil((dayMs - (now % dayMs)) / 1000)
  return retryAfterOf(headers, now) ?? Math.min(linkedinWaits.maxRate, untilMidnight)
}
