/** The frame that bar and line chart share: xychart's plot, a faint grid, axis labels, a legend and a tooltip. */
import { Axis, GlyphSeries, Grid, XYChart } from '@visx/xychart'
import { useState, type ReactNode } from 'react'
import { chartHeight } from './ChartFigure.tsx'
import { engagementColor, viewsColor } from './colors.ts'
import { short, type Row } from './sums.ts'
import { Tip } from './Tip.tsx'
import { words } from './words.ts'

const margin = { top: 44, right: 8, bottom: 28, left: 44 }
const shortest = 60
const plotHeight = chartHeight - margin.top - margin.bottom
const plotWidthOf = (width: number) => Math.max(1, width - margin.left - margin.right)

interface Scale {
  readonly type: 'band' | 'point'
  readonly padding: number
}

/** From one name's middle to the next, as d3 divides the width. */
export const stepOf = (width: number, count: number, { type, padding }: Scale) =>
  plotWidthOf(width) / Math.max(1, type === 'band' ? count + padding : count - 1 + 2 * padding)

export const idOf = ({ id }: Row) => id
export const viewsOf = ({ views }: Row) => views
export const engagementOf = ({ engagement }: Row) => engagement

interface Props {
  readonly width: number
  readonly label: string
  readonly rows: readonly Row[]
  readonly scale: Scale
  readonly children: (current: string | null) => ReactNode
}

interface Shown {
  readonly row: Row
  readonly x: number
}

export function XYFrame({ width, label, rows, scale, children }: Props) {
  const [shown, setShown] = useState<Shown | null>(null)
  const names = new Map(rows.map((row) => [row.id, row.label]))
  const room = stepOf(width, rows.length, scale)
  // Names that would be cut to a syllable stand under every second or third place; the tip and the table have them all.
  const every = Math.max(1, Math.ceil(shortest / room))
  const lastId = rows.at(-1)?.id
  const top = Math.max(1, ...rows.map(viewsOf), ...rows.map(engagementOf))
  return (
    <div className="relative" data-chart={scale.type}>
      <XYChart
        width={width}
        height={chartHeight}
        margin={margin}
        accessibilityLabel={label}
        captureEvents={false}
        xScale={scale}
        yScale={{ type: 'linear', domain: [0, top], nice: 4 }}
      >
        <Key name={words.charts.views} color={viewsColor} x={margin.left} />
        <Key name={words.charts.engagement} color={engagementColor} x={margin.left + 64} />
        <g aria-hidden>
          <Grid columns={false} numTicks={4} stroke="var(--color-n4)" lineStyle={{}} />
          <Axis
            orientation="left"
            hideAxisLine
            hideTicks
            numTicks={4}
            tickFormat={(value) => short(Number(value))}
            tickLabelProps={() => ({ className: 'fill-quiet', textAnchor: 'end', dy: '0.32em', dx: -6 })}
          />
          <Axis
            orientation="bottom"
            hideAxisLine
            hideTicks
            tickValues={rows.filter((_, index) => index % every === 0).map(idOf)}
            tickFormat={(id) =>
              clip(
                names.get(String(id)) ?? '',
                id === lastId ? Math.min(room * every, room + 2 * margin.right) : room * every - 2,
              )
            }
            tickLabelProps={() => ({ className: 'fill-quiet', textAnchor: 'middle', dy: '0.25em' })}
          />
        </g>
        {children(shown?.row.id ?? null)}
        <GlyphSeries
          dataKey="names"
          data={[...rows]}
          xAccessor={idOf}
          yAccessor={viewsOf}
          enableEvents={false}
          renderGlyph={({ datum, x }) => (
            <Column
              row={datum}
              x={x}
              room={room}
              onTell={() => setShown({ row: datum, x })}
              onDone={() => setShown(null)}
            />
          )}
        />
      </XYChart>
      {shown && (
        <Tip
          title={shown.row.label}
          lines={[
            { name: words.charts.views, value: shown.row.views.toLocaleString('en-US'), color: viewsColor },
            {
              name: words.charts.engagement,
              value: shown.row.engagement.toLocaleString('en-US'),
              color: engagementColor,
            },
          ]}
          x={shown.x}
          width={width}
        />
      )}
    </div>
  )
}

interface ColumnProps {
  readonly row: Row
  readonly x: number
  readonly room: number
  readonly onTell: () => void
  readonly onDone: () => void
}

/** The whole height of a name answers to the pointer and takes the focus. */
function Column({ row: { label, views, engagement }, x, room, onTell, onDone }: ColumnProps) {
  return (
    <rect
      role="graphics-symbol"
      aria-label={words.charts.symbol(label, views.toLocaleString('en-US'), engagement.toLocaleString('en-US'))}
      tabIndex={0}
      x={x - room / 2}
      y={margin.top - 16}
      width={room}
      height={plotHeight + 16}
      rx={6}
      fill="transparent"
      className="-outline-offset-2"
      onFocus={onTell}
      onBlur={onDone}
      onPointerEnter={onTell}
      onPointerLeave={onDone}
    />
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

// about six pixels a letter at this size.
function clip(text: string, room: number): string {
  const letters = Math.max(2, Math.floor(room / 6.2))
  return text.length <= letters ? text : `${text.slice(0, letters - 1)}…`
}
