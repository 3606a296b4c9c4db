import { BarGroup, BarSeries, GlyphSeries } from '@visx/xychart'
import { engagementColor, viewsColor } from './colors.ts'
import { short, type Row } from './sums.ts'
import { words } from './words.ts'
import { engagementOf, idOf, stepOf, viewsOf, XYFrame } from './XYFrame.tsx'

interface Props {
  readonly width: number
  readonly rows: readonly Row[]
}

const widest = 104
const series = [
  { figure: 'views', valueOf: viewsOf, color: viewsColor, side: -1 },
  { figure: 'engagement', valueOf: engagementOf, color: engagementColor, side: 1 },
] as const

export function BarChart({ width, rows }: Props) {
  const scale = { type: 'band', padding: paddingOf(width, rows.length) } as const
  // A pair of bars fills its band: the middle of each is a quarter of it away from the middle of the pair.
  const aside = (stepOf(width, rows.length, scale) * (1 - scale.padding)) / 4
  const data = [...rows]
  return (
    <XYFrame width={width} rows={rows} scale={scale} label={words.charts.platform.label}>
      {() => (
        <>
          <BarGroup padding={0.1}>
            {series.map(({ figure, valueOf, color }) => (
              <BarSeries
                key={figure}
                dataKey={figure}
                data={data}
                xAccessor={idOf}
                yAccessor={valueOf}
                colorAccessor={() => color}
                radius={3}
                radiusTop
                enableEvents={false}
              />
            ))}
          </BarGroup>
          {series.map(({ figure, valueOf, side }) => (
            <GlyphSeries
              key={figure}
              dataKey={`${figure} in numbers`}
              data={data}
              xAccessor={idOf}
              yAccessor={valueOf}
              enableEvents={false}
              renderGlyph={({ datum, x, y }) => (
                <text
                  aria-hidden
                  x={x + side * aside}
                  y={y - 6}
                  textAnchor="middle"
                  className="fill-ink stroke-surface font-medium"
                  strokeWidth={3}
                  paintOrder="stroke"
                >
                  {short(valueOf(datum))}
                </text>
              )}
            />
          ))}
        </>
      )}
    </XYFrame>
  )
}

/** Few bars stand apart rather than grow fat. */
const paddingOf = (width: number, count: number) => {
  const room = stepOf(width, count, { type: 'band', padding: 0.3 })
  return room * 0.7 <= widest ? 0.3 : Math.min(0.9, 1 - widest / room)
}
