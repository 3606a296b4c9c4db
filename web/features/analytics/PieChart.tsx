import { Group } from '@visx/group'
import { Pie } from '@visx/shape'
import { useState } from 'react'
import { platformLook, platformList } from '../../lib/platforms.ts'
import { chartHeight } from './ChartFigure.tsx'
import { placesOf } from './pie-labels.ts'
import type { Row } from './sums.ts'
import { Tip } from './Tip.tsx'

const chartColors = ['var(--color-chart-1)', 'var(--color-chart-2)', 'var(--color-chart-3)', 'var(--color-chart-4)']

const colorOf = (id: string, index: number) => {
  const platform = platformList.find((each) => each === id)
  return platform ? platformLook[platform].color : (chartColors[index % chartColors.length] ?? 'currentColor')
}

interface Props {
  readonly width: number
  readonly rows: readonly Row[]
}

interface Told {
  readonly row: Row
  readonly percent: string
  readonly color: string
}

/** Each slice says its name and its share beside itself; nothing has to be looked up in a key. */
export function PieChart({ width, rows }: Props) {
  const [told, setTold] = useState<Told | null>(null)
  const all = rows.reduce((sum, { engagement }) => sum + engagement, 0)
  const data = rows.filter(({ engagement }) => engagement > 0)
  if (all === 0) {
    return (
      <p className="grid place-items-center text-quiet" style={{ height: chartHeight }}>
        No engagement yet.
      </p>
    )
  }
  const narrow = width < 420
  const radius = Math.min(110, width / 2 - (narrow ? 72 : 96), chartHeight / 2 - 30)
  return (
    <div className="relative">
      <svg width={width} height={chartHeight} aria-label="Pie: engagement per platform">
        <Group left={width / 2} top={chartHeight / 2}>
          <Pie data={data} pieValue={({ engagement }) => engagement} outerRadius={radius} innerRadius={radius * 0.58} padAngle={0.02} cornerRadius={3}>
            {(pie) => {
              const places = placesOf(pie.arcs, radius, narrow ? 30 : 16)
              return pie.arcs.map((arc, index) => {
                const { id, label, engagement } = arc.data
                const percent = `${Math.round((engagement / all) * 100)}%`
                const { x = 0, y = 0, right = true } = places[index] ?? {}
                return (
                  <g
                    key={id}
                    role="graphics-symbol"
                    aria-label={`${label}: ${percent}, ${engagement.toLocaleString('en-US')} engagement`}
                    tabIndex={0}
                    onFocus={() => setTold({ row: arc.data, percent, color: colorOf(id, index) })}
                    onBlur={() => setTold(null)}
                    onPointerEnter={() => setTold({ row: arc.data, percent, color: colorOf(id, index) })}
                    onPointerLeave={() => setTold(null)}
                  >
                    <path d={pie.path(arc) ?? ''} fill={colorOf(id, index)} />
                    <text
                      x={x}
                      y={y}
                      dy={narrow ? '-0.35em' : '0.32em'}
                      textAnchor={right ? 'start' : 'end'}
                      className="fill-ink font-medium"
                    >
                      {narrow ? <NarrowLabel name={label} share={percent} x={x} /> : `${label} ${percent}`}
                    </text>
                  </g>
                )
              })
            }}
          </Pie>
          <text textAnchor="middle" y={-4} className="fill-ink text-xl font-semibold">
            {all.toLocaleString('en-US')}
          </text>
          <text textAnchor="middle" y={16} className="fill-quiet">
            Engagement
          </text>
        </Group>
      </svg>
      {told && (
        <Tip
          title={told.row.label}
          lines={[{ name: `Engagement, ${told.percent}`, value: told.row.engagement.toLocaleString('en-US'), color: told.color }]}
          x={0}
          width={width}
        />
      )}
    </div>
  )
}

interface LabelProps {
  readonly name: string
  readonly share: string
  readonly x: number
}

/** On two lines, where there is little room beside the pie. */
function NarrowLabel({ name, share, x }: LabelProps) {
  return (
    <>
      <tspan>{`${name} `}</tspan>
      <tspan x={x} dy="1.3em">
        {share}
      </tspan>
    </>
  )
}
