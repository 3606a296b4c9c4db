const minute = 60_000
const hour = 60 * minute

/** A wait of up to a day, rounded up: `40 minutes`, `5 hours`. */
export function waitInWords(ms: number): string {
  const [count, unit] =
    ms > 90 * minute ? [Math.ceil(ms / hour), 'hour'] : [Math.max(1, Math.ceil(ms / minute)), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** To the second below 100 s. */
export function shortWaitInWords(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  return seconds < 100 ? `${seconds} second${seconds === 1 ? '' : 's'}` : waitInWords(ms)
}

export const retryAfter = (ms: number) => ({ 'Retry-After': String(Math.max(1, Math.ceil(ms / 1000))) })
