import type { AnalyticsRecord } from '../../../api/contract/index.ts'
import { byName } from '../../lib/by-name.ts'
import { platformLook } from '../../lib/platforms.ts'
import { BarChart } from './BarChart.tsx'
import { ChartFigure } from './ChartFigure.tsx'
import { LineChart } from './LineChart.tsx'
import { PieChart } from './PieChart.tsx'
import { rowsBy } from './sums.ts'
import { words } from './words.ts'

interface Props {
  readonly records: readonly AnalyticsRecord[]
  readonly byClient: boolean
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

export default function Charts({ records, byClient }: Props) {
  const perPlatform = rowsBy(
    records,
    ({ postPlatform }) => postPlatform,
    ({ postPlatform }) => (postPlatform in platformLook ? platformLook[postPlatform].name : capital(postPlatform)),
  )
  const perClient = rowsBy(
    records,
    ({ clientId }) => clientId,
    ({ clientName }) => clientName,
  ).sort((a, b) => byName(a.label, b.label))
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      <ChartFigure
        title={words.charts.platform.title}
        caption={words.charts.platform.caption}
        first={words.charts.platform.column}
        rows={perPlatform}
      >
        {(width) => <BarChart width={width} rows={perPlatform} />}
      </ChartFigure>
      <ChartFigure
        title={words.charts.distribution.title}
        caption={words.charts.distribution.caption}
        first={words.charts.platform.column}
        rows={perPlatform}
        share
      >
        {(width) => <PieChart width={width} rows={perPlatform} />}
      </ChartFigure>
      {byClient && (
        <div className="lg:col-span-2">
          <ChartFigure
            title={words.charts.client.title}
            caption={words.charts.client.caption}
            first={words.charts.client.column}
            rows={perClient}
          >
            {(width) => <LineChart width={width} rows={perClient} />}
          </ChartFigure>
        </div>
      )}
    </div>
  )
}
