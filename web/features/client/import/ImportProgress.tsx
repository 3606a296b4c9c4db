import { Label } from 'react-aria-components/Label'
import { ProgressBar } from 'react-aria-components/ProgressBar'
import { words } from './words.ts'

interface Props {
  readonly done: number
  readonly total: number
}

export function ImportProgress({ done, total }: Props) {
  return (
    <ProgressBar
      value={done}
      maxValue={total}
      valueLabel={words.progress(done, total)}
      className="flex flex-col gap-2 py-8"
    >
      {({ percentage = 0, valueText }) => (
        <>
          <p className="flex justify-between gap-4">
            <Label>{words.importing}</Label>
            <span className="tabular text-quiet">{valueText}</span>
          </p>
          <div className="h-2 overflow-hidden rounded-full bg-n4">
            <div
              className="h-full rounded-full bg-accent transition-[width] duration-150 motion-reduce:transition-none"
              style={{ width: `${percentage}%` }}
            />
          </div>
        </>
      )}
    </ProgressBar>
  )
}
