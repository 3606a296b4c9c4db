import type { AnalyticsRecord } from '../../../api/contract/index.ts'
import { platformLook } from '../../lib/platforms.ts'
import { BarChart } from './BarChart.tsx'
import { ChartFigure } from './ChartFigure.tsx'
import { LineChart } from './LineChart.tsx'
import { PieChart } from './PieChart.tsx'
import { rowsBy } from './sums.ts'

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
  )
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      <ChartFigure
        title="Performance by Platform"
        caption="Views and engagement per platform"
        first="Platform"
        rows={perPlatform}
      >
        {(width) => <BarChart width={width} rows={perPlatform} />}
      </ChartFigure>
      <ChartFigure
        title="Engagement Distribution"
        caption="Share of all engagement per platform"
        first="Platform"
        rows={perPlatform}
        share
      >
        {(width) => <PieChart width={width} rows={perPlatform} />}
      </ChartFigure>
      {byClient && (
        <div className="lg:col-span-2">
          <ChartFigure
            title="Performance by Client"
            caption="Views and engagement per client"
            first="Client"
            rows={perClient}
          >
            {(width) => <LineChart width={width} rows={perClient} />}
          </ChartFigure>
        </div>
      )}
    </div>
  )
}
