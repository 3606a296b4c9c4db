import { cardStyle } from '../../ui/Card.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { words } from './words.ts'

export function ChartPlaceholders() {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <output className="sr-only">{words.loadingCharts}</output>
      {[0, 1].map((index) => (
        <div key={index} className={`${cardStyle} h-[25rem] p-6`}>
          <Skeleton className="h-5 w-48" />
          <Skeleton className="mt-6 h-[300px]" />
        </div>
      ))}
    </div>
  )
}
