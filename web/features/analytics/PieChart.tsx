import { Group } from '@visx/group'
import { Pie } from '@visx/shape'
import { platformLook, platformList } from '../../lib/platforms.ts'
import { chartHeight } from './ChartFigure.tsx'
import type { Row } from './sums.ts'

const chartColors = ['var(--color-chart-1)', 'var(--color-chart-2)', 'var(--color-chart-3)', 'var(--color-chart-4)']

const colorOf = (id: string, index: number) => {
  const platform = platformList.find((each) => each === id)
  return platform ? platformLook[platform].color : (chartColors[index % chartColors.length] ?? 'currentColor')
}

interface Props {
  readonly width: number
  readonly rows: readonly Row[]
}

/** Each slice says its name and its share beside itself; nothing has to be looked up in a key. */
export function PieChart({ width, rows }: Props) {
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
    <svg width={width} height={chartHeight} className="tabular block text-xs">
      <title>Pie: engagement per platform</title>
      <Group left={width / 2} top={chartHeight / 2}>
        <Pie data={data} pieValue={({ engagement }) => engagement} outerRadius={radius} innerRadius={radius * 0.58} padAngle={0.02} cornerRadius={3}>
          {(pie) =>
            pie.arcs.map((arc, index) => {
              const { id, label, engagement } = arc.data
              const percent = `${Math.round((engagement / all) * 100)}%`
              const middle = (arc.startAngle + arc.endAngle) / 2
              const right = Math.sin(middle) >= 0
              return (
                <g key={id} tabIndex={0}>
                  <title>{`${label}: ${percent}, ${engagement.toLocaleString()} engagement`}</title>
                  <path d={pie.path(arc) ?? ''} fill={colorOf(id, index)} />
                  <text
                    x={Math.sin(middle) * (radius + 12)}
                    y={-Math.cos(middle) * (radius + 14)}
                    dy="0.32em"
                    textAnchor={right ? 'start' : 'end'}
                    className="fill-ink font-medium"
                  >
                    {narrow ? <NarrowLabel name={label} share={percent} x={Math.sin(middle) * (radius + 12)} /> : `${label} ${percent}`}
                  </text>
                </g>
              )
            })
          }
        </Pie>
        <text textAnchor="middle" y={-4} className="fill-ink text-xl font-semibold">
          {all.toLocaleString()}
        </text>
        <text textAnchor="middle" y={16} className="fill-quiet">
          Engagement
        </text>
      </Group>
    </svg>
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
