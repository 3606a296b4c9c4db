/** What the bar and the line chart share: the plot's edges, a faint grid, names beneath and a key. */
import { Group } from '@visx/group'
import type { ReactNode } from 'react'
import { chartHeight } from './ChartFigure.tsx'
import { short } from './sums.ts'

export const margin = { top: 44, right: 8, bottom: 28, left: 44 }
export const plotHeight = chartHeight - margin.top - margin.bottom
export const viewsColor = 'var(--color-chart-1)'
export const engagementColor = 'var(--color-chart-2)'

interface Props {
  readonly width: number
  readonly label: string
  readonly ticks: readonly { readonly value: number; readonly y: number }[]
  readonly names: readonly { readonly id: string; readonly text: string; readonly x: number; readonly room: number }[]
  readonly children: ReactNode
}

export function Frame({ width, label, ticks, names, children }: Props) {
  return (
    <svg width={width} height={chartHeight} className="tabular block text-xs">
      <title>{label}</title>
      <Key name="Views" color={viewsColor} x={margin.left} />
      <Key name="Engagement" color={engagementColor} x={margin.left + 64} />
      <Group left={margin.left} top={margin.top}>
        {ticks.map(({ value, y }) => (
          <g key={value} aria-hidden>
            <line x1={0} x2={width - margin.left - margin.right} y1={y} y2={y} className="stroke-n4" />
            <text x={-8} y={y} dy="0.32em" textAnchor="end" className="fill-quiet">
              {short(value)}
            </text>
          </g>
        ))}
        {children}
        {names.map(({ id, text, x, room }) => (
          <text key={id} aria-hidden x={x} y={plotHeight + 20} textAnchor="middle" className="fill-quiet">
            {clip(text, room)}
          </text>
        ))}
      </Group>
    </svg>
  )
}

function Key({ name, color, x }: { readonly name: string; readonly color: string; readonly x: number }) {
  return (
    <g aria-hidden transform={`translate(${x}, 10)`}>
      <rect width={8} height={8} y={-4} rx={2} fill={color} />
      <text x={13} dy="0.32em" className="fill-quiet">
        {name}
      </text>
    </g>
  )
}

// About seven pixels a letter at this size.
const clip = (text: string, room: number) => {
  const letters = Math.max(2, Math.floor(room / 7))
  return text.length <= letters ? text : `${text.slice(0, letters - 1)}…`
}
