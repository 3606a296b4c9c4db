import { scaleBand, scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import { engagementColor, Frame, margin, plotHeight, viewsColor } from './Frame.tsx'
import { short, type Row } from './sums.ts'

interface Props {
  readonly width: number
  readonly rows: readonly Row[]
}

const series = [
  { figure: 'views', color: viewsColor },
  { figure: 'engagement', color: engagementColor },
] as const

export function BarChart({ width, rows }: Props) {
  const plotWidth = Math.max(0, width - margin.left - margin.right)
  const x = scaleBand({ domain: rows.map(({ id }) => id), range: [0, plotWidth], padding: 0.3 })
  const inner = scaleBand({ domain: ['views', 'engagement'], range: [0, x.bandwidth()], padding: 0.12 })
  const top = Math.max(1, ...rows.flatMap(({ views, engagement }) => [views, engagement]))
  const y = scaleLinear({ domain: [0, top], range: [plotHeight, 0], nice: true })
  const barWidth = Math.min(48, inner.bandwidth())
  return (
    <Frame
      width={width}
      label="Bars: views and engagement per platform"
      ticks={y.ticks(4).map((value) => ({ value, y: y(value) }))}
      names={rows.map(({ id, label }) => ({ id, text: label, x: (x(id) ?? 0) + x.bandwidth() / 2, room: x.step() }))}
    >
      {rows.map(({ id, label, ...figures }) => (
        <g key={id} tabIndex={0} className="outline-offset-4">
          <title>{`${label}: ${figures.views.toLocaleString()} views, ${figures.engagement.toLocaleString()} engagement`}</title>
          {series.map(({ figure, color }) => {
            const left = (x(id) ?? 0) + (inner(figure) ?? 0) + (inner.bandwidth() - barWidth) / 2
            return (
              <g key={figure}>
                <Bar x={left} y={y(figures[figure])} width={barWidth} height={plotHeight - y(figures[figure])} rx={3} fill={color} />
                <text x={left + barWidth / 2} y={y(figures[figure]) - 6} textAnchor="middle" className="fill-ink font-medium">
                  {short(figures[figure])}
                </text>
              </g>
            )
          })}
        </g>
      ))}
    </Frame>
  )
}
