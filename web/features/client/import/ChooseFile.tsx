import { FileSpreadsheet } from 'lucide-react'
import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Button } from '../../../ui/Button.tsx'
import { expected } from './columns.ts'
import { words } from './words.ts'

interface Props {
  readonly error: string | null
  readonly onFile: (file: File) => void
}

export function ChooseFile({ error, onFile }: Props) {
  return (
    <div className="flex flex-col gap-5">
      <DropZone
        aria-label={words.file.label}
        getDropOperation={() => 'copy'}
        onDrop={async ({ items }) => {
          const [file] = items.filter((item) => item.kind === 'file')
          if (file) onFile(await file.getFile())
        }}
        className="flex flex-col items-center gap-3 rounded-card border border-dashed border-control px-6 py-8 text-center drop-target:border-accent drop-target:bg-accent-soft"
      >
        <FileSpreadsheet aria-hidden className="size-7 text-quiet" />
        <p>
          {words.file.drop}
          <span className="text-quiet"> {words.file.or}</span>
        </p>
        <FileTrigger acceptedFileTypes={['.csv', 'text/csv']} onSelect={(files) => files?.[0] && onFile(files[0])}>
          <Button look="primary">{words.file.choose}</Button>
        </FileTrigger>
      </DropZone>
      {error !== null && (
        <p role="alert" className="rounded-control bg-rejected-soft px-3 py-2 text-rejected-ink">
          {error}
        </p>
      )}
      <div>
        <p className="text-sm text-quiet">
          {words.file.rule}{' '}
          <a href="/example-posts.csv" download className="font-medium text-accent-ink underline underline-offset-2">
            {words.file.example}
          </a>
        </p>
        <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1 text-sm">
          {expected.map((column) => (
            <div key={column} className="contents">
              <dt className="font-medium">{column}</dt>
              <dd className="text-quiet">{words.columns.about[column]}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  )
}
