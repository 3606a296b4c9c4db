/** Reads the signing time of a Stripe message from its `Stripe-Signature` header: `t=1492774577,v1=5257a8…`. */

/** The tolerance in seconds, before and after now, for clock differences. Stripe's libraries use 300. */
export const signatureLifeSeconds = 300

const seconds = /^\d{1,12}$/

/**
 * Whether the header names exactly one time, a number of seconds within five minutes of now. Stripe's library (23.1)
 * only checks that it is not too old, and accepts any time that is not a number.
 */
export function isSignedAround(header: string, nowMs: number): boolean {
  const times = header.split(',').flatMap((item) => (item.startsWith('t=') ? [item.slice(2)] : []))
  const [time = ''] = times
  return (
    times.length === 1 &&
    seconds.test(time) &&
    Math.abs(Math.floor(nowMs / 1000) - Number(time)) <= signatureLifeSeconds
  )
}
