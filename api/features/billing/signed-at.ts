/** When a message of Stripe was signed, by its `Stripe-Signature` header: `t=1492774577,v1=5257a8…`. */

/** Seconds that a signature may be older than now, or ahead of it, as clocks differ. Stripe's libraries: 300. */
export const signatureLifeSeconds = 300

const seconds = /^\d{1,12}$/

/**
 * Whether the one time that the header names is a number of seconds no further from now than five minutes. Stripe's
 * library (23.1) looks only whether it is older, and takes what is no number for any time.
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
