/** A chart with its title, its caption, and its numbers as a table on request. */
import { ParentSize } from '@visx/responsive'
import { useId, useState, type ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { wholePercents } from './shares.ts'
import type { Row } from './sums.ts'
import { words } from './words.ts'

export const chartHeight = 300

interface Props {
  readonly title: string
  readonly caption: string
  /** The heading of the table's first column. */
  readonly first: string
  readonly rows: readonly Row[]
  readonly share?: boolean
  readonly children: (width: number) => ReactNode
}

export function ChartFigure({ title, caption, first, rows, share = false, children }: Props) {
  const [asTable, setAsTable] = useState(false)
  const id = useId()
  return (
    <Card>
      <figure aria-labelledby={id} data-testid={`chart-${title.toLowerCase().replaceAll(' ', '-')}`}>
        <div className="mb-5 flex items-start justify-between gap-3">
          <div>
            <h2 id={id} className="text-lg font-semibold">
              {title}
            </h2>
            <figcaption className="text-sm text-quiet">{caption}</figcaption>
          </div>
          <Button
            look="quiet"
            size="sm"
            onPress={() => setAsTable(!asTable)}
            aria-label={words.charts.show(title, asTable ? 'chart' : 'table')}
          >
            {asTable ? words.charts.asChart : words.charts.asTable}
          </Button>
        </div>
        {asTable ? (
          // Longer than its place, it scrolls; the keyboard can do that too.
          <section
            aria-label={words.charts.numbers(title)}
            {...{ tabIndex: 0 }}
            className="overflow-auto"
            style={{ height: chartHeight }}
          >
            <Numbers first={first} rows={rows} share={share} />
          </section>
        ) : (
          <div className="tabular text-xs [&_svg]:block" style={{ height: chartHeight }}>
            <ParentSize debounceTime={60} enableDebounceLeadingCall={false}>
              {({ width }) => (width > 0 ? children(width) : null)}
            </ParentSize>
          </div>
        )}
      </figure>
    </Card>
  )
}

function Numbers({ first, rows, share }: Pick<Props, 'first' | 'rows' | 'share'>) {
  const percents = wholePercents(rows.map(({ engagement }) => Math.max(0, engagement)))
  return (
    <table className="tabular w-full text-left">
      <thead>
        <tr className="border-b border-line text-sm text-quiet">
          <th scope="col" className="py-2 font-medium">
            {first}
          </th>
          {[words.charts.views, words.charts.engagement, ...(share ? [words.charts.share] : [])].map((name) => (
            <th key={name} scope="col" className="py-2 text-right font-medium">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, label, views, engagement }, index) => (
          <tr key={id} className="border-b border-line last:border-0">
            <th scope="row" dir="auto" className="py-2 pr-3 text-start font-normal wrap-anywhere">
              {label}
            </th>
            <td className="py-2 text-right">{views.toLocaleString()}</td>
            <td className="py-2 text-right">{engagement.toLocaleString()}</td>
            {share && <td className="py-2 text-right">{`${percents[index] ?? 0}%`}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
