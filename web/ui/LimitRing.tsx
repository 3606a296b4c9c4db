/** Shows how much of a network's limit a text uses: amber in the last tenth, red past it. */
interface Props {
  readonly used: number
  readonly limit: number
}

const radius = 9
const around = 2 * Math.PI * radius

export function LimitRing({ used, limit }: Props) {
  const left = limit - used
  const share = Math.min(1, used / limit)
  const stroke = left < 0 ? 'stroke-danger' : share >= 0.9 ? 'stroke-pending' : 'stroke-accent'
  return (
    <span className="tabular inline-flex items-center gap-2 text-sm" data-testid="limit-ring">
      <svg viewBox="0 0 24 24" aria-hidden className="size-5 -rotate-90">
        <circle cx="12" cy="12" r={radius} fill="none" strokeWidth="3" className="stroke-n5" />
        <circle
          cx="12"
          cy="12"
          r={radius}
          fill="none"
          strokeWidth="3"
          strokeDasharray={`${share * around} ${around}`}
          className={`transition-[stroke] ${stroke}`}
        />
      </svg>
      <span className={left < 0 ? 'font-medium text-rejected-ink' : share >= 0.9 ? 'text-pending-ink' : 'text-quiet'}>
        {`${used.toLocaleString('en-US')} / ${limit.toLocaleString('en-US')}`}
        <span className="sr-only">{left < 0 ? ` characters, ${-left} too many` : ' characters'}</span>
      </span>
    </span>
  )
}
