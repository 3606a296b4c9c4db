import type { ImportHeader, ImportPlaces } from '../../../../api/contract/index.ts'
import { Select } from '../../../ui/Select.tsx'
import { expected, ignoredIn } from './columns.ts'
import { IgnoredColumns } from './IgnoredColumns.tsx'
import { words } from './words.ts'

interface Props {
  readonly header: ImportHeader['header']
  readonly places: ImportPlaces
  readonly onChange: (places: ImportPlaces) => void
}

const none = 'none'

/** Which column of the file is which: guessed by name, chosen by the user. */
export function MapColumns({ header, places, onChange }: Props) {
  const options = [
    { id: none, label: words.columns.none },
    ...header.map(({ name }, at) => ({ id: String(at), label: name || words.columns.unnamed(at + 1) })),
  ]
  return (
    <div className="flex flex-col gap-5">
      <p className="text-quiet">{words.columns.intro}</p>
      <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
        {expected.map((column) => {
          const place = places[column]
          const example = place === undefined ? '' : (header[place]?.example ?? '')
          return (
            <div key={column} className="min-w-0">
              <Select
                label={words.columns.names[column]}
                testId={`select-column-${column}`}
                required={column === 'content'}
                options={options}
                value={place === undefined ? none : String(place)}
                onChange={(id) => {
                  const { [column]: _, ...others } = places
                  onChange(id === none ? others : { ...others, [column]: Number(id) })
                }}
              />
              <p dir="auto" className={`mt-1 text-sm text-quiet ${example === '' ? '' : 'line-clamp-2 wrap-anywhere'}`}>
                {example === '' ? words.columns.about[column] : words.columns.example(example)}
              </p>
            </div>
          )
        })}
      </div>
      <IgnoredColumns names={ignoredIn(header, places)} />
    </div>
  )
}
