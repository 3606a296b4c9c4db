import { GlyphSeries, LineSeries } from '@visx/xychart'
import { engagementColor, viewsColor } from './colors.ts'
import { short, type Row } from './sums.ts'
import { words } from './words.ts'
import { engagementOf, idOf, stepOf, viewsOf, XYFrame } from './XYFrame.tsx'

interface Props {
  readonly width: number
  readonly rows: readonly Row[]
}

const series = [
  { figure: 'views', valueOf: viewsOf, color: viewsColor },
  { figure: 'engagement', valueOf: engagementOf, color: engagementColor },
] as const

const scale = { type: 'point', padding: 0.5 } as const
const numberRoom = 44

export function LineChart({ width, rows }: Props) {
  const data = [...rows]
  const fits = stepOf(width, rows.length, scale) >= numberRoom
  return (
    <XYFrame width={width} rows={rows} scale={scale} label={words.charts.client.label}>
      {(current) => (
        <>
          {series.map(({ figure, valueOf, color }) => (
            <LineSeries
              key={figure}
              dataKey={figure}
              data={data}
              xAccessor={idOf}
              yAccessor={valueOf}
              stroke={color}
              strokeLinejoin="round"
              enableEvents={false}
            />
          ))}
          {series.map(({ figure, valueOf, color }) => (
            <GlyphSeries
              key={figure}
              dataKey={`${figure} in numbers`}
              data={data}
              xAccessor={idOf}
              yAccessor={valueOf}
              enableEvents={false}
              renderGlyph={({ datum, x, y }) => (
                <g aria-hidden>
                  <circle
                    cx={x}
                    cy={y}
                    r={datum.id === current ? 6 : 4}
                    fill={color}
                    className="stroke-surface"
                    strokeWidth={2}
                  />
                  {fits && (
                    // The outline in the surface's colour keeps a line beneath from crossing the number out.
                    <text
                      x={x}
                      y={y - 10}
                      textAnchor="middle"
                      className="fill-ink stroke-surface font-medium"
                      strokeWidth={4}
                      strokeLinejoin="round"
                      paintOrder="stroke"
                    >
                      {short(valueOf(datum))}
                    </text>
                  )}
                </g>
              )}
            />
          ))}
        </>
      )}
    </XYFrame>
  )
}
