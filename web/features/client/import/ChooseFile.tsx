import { FileSpreadsheet } from 'lucide-react'
import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Button } from '../../../ui/Button.tsx'

interface Props {
  readonly error: string | null
  readonly onFile: (file: File) => void
}

const columns = [
  ['content', 'The text of the post.'],
  ['platform', 'facebook, instagram, x or linkedin.'],
  ['account', "The account's name, where a network has several."],
  ['date', 'Like 2026-12-31. Empty: without a time.'],
  ['time', "Like 09:30, in your agency's time zone. Empty: 09:00."],
  ['image', 'The address of an image.'],
] as const

export function ChooseFile({ error, onFile }: Props) {
  return (
    <div className="flex flex-col gap-5">
      <DropZone
        aria-label="CSV file"
        getDropOperation={() => 'copy'}
        onDrop={async ({ items }) => {
          const [file] = items.filter((item) => item.kind === 'file')
          if (file) onFile(await file.getFile())
        }}
        className="flex flex-col items-center gap-3 rounded-card border border-dashed border-control px-6 py-8 text-center drop-target:border-accent drop-target:bg-accent-soft"
      >
        <FileSpreadsheet aria-hidden className="size-7 text-quiet" />
        <p>
          Drop a CSV file here
          <span className="text-quiet"> or</span>
        </p>
        <FileTrigger acceptedFileTypes={['.csv', 'text/csv']} onSelect={(files) => files?.[0] && onFile(files[0])}>
          <Button look="primary">Choose a File</Button>
        </FileTrigger>
      </DropZone>
      {error !== null && (
        <p role="alert" className="rounded-control bg-rejected-soft px-3 py-2 text-rejected-ink">
          {error}
        </p>
      )}
      <div>
        <p className="text-sm text-quiet">
          The first line names the columns; “content” and “platform” or “account” are needed.{' '}
          <a href="/example-posts.csv" download className="font-medium text-accent-ink underline underline-offset-2">
            Download an example
          </a>
        </p>
        <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1 text-sm">
          {columns.map(([name, text]) => (
            <div key={name} className="contents">
              <dt className="font-medium">{name}</dt>
              <dd className="text-quiet">{text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  )
}
