interface Line {
  readonly name: string
  readonly value: string
  readonly color: string
}

interface Props {
  readonly title: string
  readonly lines: readonly Line[]
  readonly x: number
  /** Of the chart, which it never leaves. */
  readonly width: number
}

const half = 88

/** The exact figures, beside what the pointer or the keyboard is on. The same words are that thing's name. */
export function Tip({ title, lines, x, width }: Props) {
  const middle = Math.min(Math.max(x, half), Math.max(half, width - half))
  return (
    <div
      aria-hidden
      data-testid="chart-tip"
      style={{ left: middle }}
      className="pointer-events-none absolute top-0 w-44 -translate-x-1/2 rounded-control bg-float px-3 py-2 text-sm shadow-float"
    >
      <p dir="auto" className="truncate font-medium">
        {title}
      </p>
      {lines.map(({ name, value, color }) => (
        <p key={name} className="tabular flex items-center gap-2 text-quiet">
          <span className="size-2 shrink-0 rounded-full" style={{ backgroundColor: color }} />
          <span className="flex-1">{name}</span>
          <span className="font-medium text-ink">{value}</span>
        </p>
      ))}
    </div>
  )
}
