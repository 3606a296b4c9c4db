import { LinePath } from '@visx/shape'

interface Point {
  readonly at: number
  readonly value: number
}

interface Props {
  readonly points: readonly Point[]
  readonly label: string
  readonly color: string
}

const [width, height, edge] = [88, 28, 3]

/** A small line from the first to the newest reading; one reading alone is a dot. */
export function Sparkline({ points, label, color }: Props) {
  const times = points.map(({ at }) => at)
  const values = points.map(({ value }) => value)
  const scale = (value: number, all: readonly number[], length: number) => {
    const [least, most] = [Math.min(...all), Math.max(...all)]
    return edge + (most === least ? 0.5 : (value - least) / (most - least)) * (length - 2 * edge)
  }
  const x = ({ at }: Point) => (points.length === 1 ? width - edge : scale(at, times, width))
  const y = ({ value }: Point) => height - scale(value, values, height)
  const last = points.at(-1)
  return (
    <svg width={width} height={height} aria-label={label} className="block">
      <LinePath data={[...points]} x={x} y={y} stroke={color} strokeWidth={1.5} strokeLinejoin="round" fill="none" />
      {last && <circle cx={x(last)} cy={y(last)} r={2.5} fill={color} />}
    </svg>
  )
}
