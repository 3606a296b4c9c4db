/** Maps X's errors. docs.x.com/x-api/fundamentals/response-codes-and-errors */
import { z } from 'zod'
import type { Instant } from '../../../domain/core/event.ts'
import { retryAfterOf, words, type Answer } from '../http.ts'
import { lost, refused, refusedAs, unclear, type Refusal } from '../network-client.ts'
import { longestWait, rateWindows, xWaits } from './settings.ts'

const problem = z.object({
  title: z.string().optional(),
  detail: z.string().optional(),
  type: z.string().optional(),
  errors: z.array(z.object({ message: z.string().optional() })).optional(),
})

/** @param now from the clock to compare with X's reset times */
export const judgeX =
  (now: () => Instant) =>
  (name: string, { status, headers, body }: Answer): Refusal => {
    const { data: said = {} } = problem.safeParse(body)
    const text = `${said.title ?? ''} ${said.detail ?? ''} ${said.type ?? ''}`
    const shown = words(said.errors?.[0]?.message ?? said.detail ?? said.title)
    if (status === 401) return lost(name)
    if (status === 402)
      return refused(
        `${name} takes no posts because this server's credits are used up. Ask its operator to buy more.`,
        'wait',
        xWaits.credits,
      )
    if (status === 429) return refused(`${name} asks us to slow down.`, 'wait', rateWait(headers, Date.parse(now())))
    if (status === 403 && /duplicate/i.test(text))
      return refused(`${name} says that the same text was posted just now. Look at the profile first.`, 'check')
    if (status === 403 && isAboutAccess(text))
      return refused(
        `${name} does not let us do this for the account. Connect it again and allow everything.`,
        'reconnect',
      )
    // A request time-out doesn't prove that nothing was posted.
    if (status === 408) return unclear(name, status)
    if (status === 425) return refused(`${name} was too busy.`, 'wait')
    if (status >= 400 && status < 500) return refusedAs(name, status, shown, 'edit')
    return unclear(name, status)
  }

/** A missing scope, a suspended or locked account, or an app without permission: changing the text doesn't help. */
const isAboutAccess = (text: string): boolean =>
  /not permitted|scope|oauth|client-forbidden|client-not-enrolled|unsupported-authentication|not-authorized|suspended|\blocked\b/i.test(
    text,
  )

/** Seconds until every exhausted window resets. */
function rateWait(headers: Headers, now: number): number {
  const asked = retryAfterOf(headers, now)
  const waits = rateWindows.flatMap((window) => {
    const reset = Number(headers.get(`${window}-reset`) ?? Number.NaN)
    return headers.get(`${window}-remaining`) === '0' && Number.isFinite(reset) ? [Math.ceil(reset - now / 1000)] : []
  })
  const wait = asked ?? (waits.length === 0 ? xWaits.rate : Math.max(...waits))
  return Math.min(longestWait, Math.max(1, wait))
}
