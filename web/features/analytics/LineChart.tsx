import { scaleLinear, scalePoint } from '@visx/scale'
import { LinePath } from '@visx/shape'
import { useState } from 'react'
import { engagementColor, Frame, margin, plotHeight, viewsColor } from './Frame.tsx'
import type { Row } from './sums.ts'

interface Props {
  readonly width: number
  readonly rows: readonly Row[]
}

const series = [
  { figure: 'views', color: viewsColor },
  { figure: 'engagement', color: engagementColor },
] as const

export function LineChart({ width, rows }: Props) {
  const [current, setCurrent] = useState<string | null>(null)
  const plotWidth = Math.max(0, width - margin.left - margin.right)
  const x = scalePoint({ domain: rows.map(({ id }) => id), range: [0, plotWidth], padding: 0.5 })
  const top = Math.max(1, ...rows.flatMap(({ views, engagement }) => [views, engagement]))
  const y = scaleLinear({ domain: [0, top], range: [plotHeight, 0], nice: true })
  const at = (id: string) => x(id) ?? 0
  return (
    <Frame
      width={width}
      label="Lines: views and engagement per client"
      ticks={y.ticks(4).map((value) => ({ value, y: y(value) }))}
      names={rows.map(({ id, label }) => ({ id, text: label, x: at(id), room: x.step() || plotWidth }))}
    >
      {series.map(({ figure, color }) => (
        <LinePath
          key={figure}
          data={[...rows]}
          x={({ id }) => at(id)}
          y={(row) => y(row[figure])}
          stroke={color}
          strokeWidth={2}
          strokeLinejoin="round"
        />
      ))}
      {rows.map((row) => (
        <g
          key={row.id}
          tabIndex={0}
          onFocus={() => setCurrent(row.id)}
          onBlur={() => setCurrent(null)}
          onMouseEnter={() => setCurrent(row.id)}
          onMouseLeave={() => setCurrent(null)}
        >
          <title>{`${row.label}: ${row.views.toLocaleString()} views, ${row.engagement.toLocaleString()} engagement`}</title>
          <rect x={at(row.id) - x.step() / 2} width={x.step() || plotWidth} y={0} height={plotHeight} fill="transparent" />
          {current === row.id && <line x1={at(row.id)} x2={at(row.id)} y1={0} y2={plotHeight} className="stroke-n7" strokeDasharray="3 3" />}
          {series.map(({ figure, color }) => (
            <g key={figure}>
              <circle cx={at(row.id)} cy={y(row[figure])} r={current === row.id ? 5 : 4} fill={color} className="stroke-surface" strokeWidth={2} />
              {(current === row.id || rows.length <= 5) && (
                <text x={at(row.id)} y={y(row[figure]) - 10} textAnchor="middle" className="fill-ink font-medium">
                  {row[figure].toLocaleString()}
                </text>
              )}
            </g>
          ))}
        </g>
      ))}
    </Frame>
  )
}
