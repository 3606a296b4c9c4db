import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { words } from './words.ts'

interface Props {
  readonly src: string
  readonly className: string
  /** Leaves no space for words. */
  readonly isSmall?: boolean
}

/** Keeps the image's place while it loads and when it fails. */
export function PostImage({ src, className, isSmall = false }: Props) {
  const [broken, setBroken] = useState<string | null>(null)
  if (broken === src) {
    return (
      <div className={`grid place-items-center bg-n3 text-sm text-quiet ${className}`}>
        <span className="flex items-center gap-2 p-2">
          <ImageOff aria-hidden className="size-4" />
          <span className={isSmall ? 'sr-only' : ''}>{words.imageBroken}</span>
        </span>
      </div>
    )
  }
  return (
    <img src={src} alt="" loading="lazy" onError={() => setBroken(src)} className={`bg-n3 object-cover ${className}`} />
  )
}
