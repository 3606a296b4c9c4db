import { Group } from '@visx/group'
import { Pie } from '@visx/shape'
import { useState } from 'react'
import { platformLook, platformList } from '../../lib/platforms.ts'
import { chartHeight } from './ChartFigure.tsx'
import { placesOf } from './pie-labels.ts'
import type { Row } from './sums.ts'
import { wholePercents } from './shares.ts'
import { Tip } from './Tip.tsx'
import { words } from './words.ts'

const chartColors = ['var(--color-chart-1)', 'var(--color-chart-2)', 'var(--color-chart-3)', 'var(--color-chart-4)']

const colorOf = (id: string, index: number) => {
  const platform = platformList.find((each) => each === id)
  return platform ? platformLook[platform].color : (chartColors[index % chartColors.length] ?? 'currentColor')
}

interface Props {
  readonly width: number
  readonly rows: readonly Row[]
}

interface Shown {
  readonly row: Row
  readonly percent: string
  readonly color: string
}

/** Each slice says its name and its share beside itself, where there is room for that. */
export function PieChart({ width, rows }: Props) {
  const [shown, setShown] = useState<Shown | null>(null)
  const data = rows.filter(({ engagement }) => engagement > 0)
  const all = data.reduce((sum, { engagement }) => sum + engagement, 0)
  if (all === 0) {
    return (
      <p className="grid place-items-center text-quiet" style={{ height: chartHeight }}>
        {words.charts.distribution.empty}
      </p>
    )
  }
  // A legend beneath the pie replaces labels that have no room beside it.
  const narrow = width < 420
  const height = narrow ? chartHeight - 24 * Math.ceil(data.length / 2) - 12 : chartHeight
  const radius = narrow ? Math.min(width, height) / 2 - 4 : Math.min(110, width / 2 - 96, height / 2 - 30)
  const percents = wholePercents(data.map(({ engagement }) => engagement))
  const percentOf = (row: Row) => `${percents[data.indexOf(row)] ?? 0}%`
  return (
    <div className="relative">
      <svg width={width} height={height} aria-label={words.charts.distribution.label}>
        <Group left={width / 2} top={height / 2}>
          <Pie
            data={data}
            pieValue={({ engagement }) => engagement}
            outerRadius={radius}
            innerRadius={radius * 0.58}
            padAngle={0.02}
            cornerRadius={3}
          >
            {(pie) => {
              const places = placesOf(pie.arcs, radius, 16)
              return pie.arcs.map((arc, index) => {
                const { id, label, engagement } = arc.data
                const percent = percentOf(arc.data)
                const { x = 0, y = 0, right = true } = places[index] ?? {}
                return (
                  <g
                    key={id}
                    role="graphics-symbol"
                    aria-label={words.charts.slice(label, percent, engagement.toLocaleString('en-US'))}
                    tabIndex={0}
                    onFocus={() => setShown({ row: arc.data, percent, color: colorOf(id, index) })}
                    onBlur={() => setShown(null)}
                    onPointerEnter={() => setShown({ row: arc.data, percent, color: colorOf(id, index) })}
                    onPointerLeave={() => setShown(null)}
                  >
                    <path d={pie.path(arc) ?? ''} fill={colorOf(id, index)} />
                    {!narrow && (
                      <text
                        x={x}
                        y={y}
                        dy="0.32em"
                        textAnchor={right ? 'start' : 'end'}
                        className="fill-ink font-medium"
                      >
                        {`${label} ${percent}`}
                      </text>
                    )}
                  </g>
                )
              })
            }}
          </Pie>
          <text textAnchor="middle" y={-4} className="fill-ink text-xl font-semibold">
            {all.toLocaleString('en-US')}
          </text>
          <text textAnchor="middle" y={16} className="fill-quiet">
            {words.charts.engagement}
          </text>
        </Group>
      </svg>
      {narrow && (
        <ul aria-hidden className="mt-3 grid grid-cols-2 gap-x-3 font-medium">
          {data.map((row, index) => (
            <li key={row.id} className="flex h-6 min-w-0 items-center gap-2">
              <span className="size-2 shrink-0 rounded-full" style={{ backgroundColor: colorOf(row.id, index) }} />
              <span className="truncate">{row.label}</span>
              <span className="ml-auto text-quiet">{percentOf(row)}</span>
            </li>
          ))}
        </ul>
      )}
      {shown && (
        <Tip
          title={shown.row.label}
          lines={[
            {
              name: words.charts.sliceTip(shown.percent),
              value: shown.row.engagement.toLocaleString('en-US'),
              color: shown.color,
            },
          ]}
          x={0}
          width={width}
        />
      )}
    </div>
  )
}
