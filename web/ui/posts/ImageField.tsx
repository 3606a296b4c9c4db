/** An image's address, or the image itself: chosen, dropped or pasted. */
import { ImageUp } from 'lucide-react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import type { ImageFacts } from '../../../api/contract/index.ts'
import { platformLook } from '../../lib/platforms.ts'
import { useFileDrop } from '../../lib/use-file-drop.ts'
import type { Uploading } from '../../lib/use-upload.ts'
import { Button } from '../Button.tsx'
import { TextField } from '../TextField.tsx'
import { PostImage } from './PostImage.tsx'
import { words } from './words.ts'

const types = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

interface Props {
  readonly value: string
  readonly onChange: (url: string) => void
  readonly upload: Uploading
  readonly error?: string | undefined
  readonly hint?: string | undefined
}

export function ImageField({ value, onChange, upload, error = upload.error ?? undefined, hint }: Props) {
  const { progress, isConverting, convertedFor, start, forgetError, factsOf } = upload
  const isOver = useFileDrop(start)
  const facts = factsOf(value)
  return (
    <div
      data-testid="image-field"
      className={`flex flex-col gap-2 rounded-control ${isOver ? 'outline-2 outline-offset-8 outline-accent outline-dashed' : ''}`}
    >
      <div className="flex flex-wrap items-start gap-2">
        <TextField
          label={words.imageUrl}
          type="url"
          placeholder="https://"
          value={value}
          onChange={(url) => {
            forgetError()
            onChange(url)
          }}
          error={error}
          className="min-w-40 grow basis-40"
          hint={isOver ? words.dropHere : (hint ?? words.dropOrPaste)}
        />
        <FileTrigger acceptedFileTypes={types} onSelect={(files) => files?.[0] && start(files[0])}>
          <Button className="mt-6" pending={progress !== null || isConverting} data-testid="button-upload-image">
            {progress === null && !isConverting && <ImageUp aria-hidden />}
            {progress === null ? words.upload : `${Math.floor(progress * 100)}%`}
          </Button>
        </FileTrigger>
      </div>
      <p
        aria-live="polite"
        className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-quiet empty:hidden"
        data-testid="image-facts"
      >
        {isConverting && words.converting}
        {!isConverting && facts && (
          <>
            <PostImage src={facts.url} className="size-12 rounded-control" />
            {factsLine(facts)}
            {convertedFor && <span>{words.converted(platformLook[convertedFor].title)}</span>}
          </>
        )}
      </p>
    </div>
  )
}

const factsLine = ({ type, width, height, size }: ImageFacts) =>
  `${type.slice('image/'.length).toUpperCase()}, ${width} × ${height}, ${sizeOf(size)}`

const sizeOf = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
