/** An image's address, or the image itself from the person's own files. */
import { ImageUp } from 'lucide-react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import type { Uploading } from '../../lib/use-upload.ts'
import { Button } from '../Button.tsx'
import { TextField } from '../TextField.tsx'
import { PostImage } from './PostImage.tsx'

const types = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

interface Props {
  readonly value: string
  readonly onChange: (url: string) => void
  readonly upload: Uploading
  readonly error?: string | undefined
  readonly hint?: string | undefined
}

export function ImageField({ value, onChange, upload, error = upload.error ?? undefined, hint }: Props) {
  const { progress, start, forgetError, factsOf } = upload
  const facts = factsOf(value)
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-start gap-2">
        <TextField
          label="Image URL"
          type="url"
          placeholder="https://"
          value={value}
          onChange={(url) => {
            forgetError()
            onChange(url)
          }}
          error={error}
          className="grow"
          {...(hint !== undefined && { hint })}
        />
        <FileTrigger acceptedFileTypes={types} onSelect={(files) => files?.[0] && start(files[0])}>
          <Button className="mt-6" pending={progress !== null} data-testid="button-upload-image">
            {progress === null && <ImageUp aria-hidden />}
            {progress === null ? 'Upload' : `${Math.floor(progress * 100)}%`}
          </Button>
        </FileTrigger>
      </div>
      <p
        aria-live="polite"
        className="flex items-center gap-3 text-sm text-quiet empty:hidden"
        data-testid="image-facts"
      >
        {facts && (
          <>
            <PostImage src={facts.url} className="size-12 rounded-control" />
            {`${facts.type.slice('image/'.length).toUpperCase()}, ${facts.width} × ${facts.height}, ${sizeOf(facts.size)}`}
          </>
        )}
      </p>
    </div>
  )
}

const sizeOf = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
