/** A post about as its network will show it. */
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Platform } from '../../../api/contract/index.ts'
import { platformLook } from '../../lib/platforms.ts'
import { PlatformIcon } from '../PlatformIcon.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { PostImage } from './PostImage.tsx'
import { foldOf, partsOf } from './preview-look.ts'
import { words } from './words.ts'

const imageRatio: Readonly<Record<Platform, string>> = {
  facebook: 'aspect-[1.91/1]',
  instagram: 'aspect-square',
  twitter: 'aspect-video rounded-card',
  linkedin: 'aspect-[1.91/1]',
}

interface Props {
  readonly platform: Platform
  readonly accountName: string
  /** Undefined while it is on its way. */
  readonly content: string | undefined
  readonly imageUrl: string | null
  readonly when?: string
}

export function NetworkPreview({ platform, accountName, content, imageUrl, when = words.preview }: Props) {
  const [open, setOpen] = useState(false)
  const whole = useRef<HTMLParagraphElement>(null)
  /** The button goes; the keyboard stays with the text, which may be long enough to be scrolled. */
  const unfold = () => {
    flushSync(() => setOpen(true))
    whole.current?.focus({ preventScroll: true })
  }
  const folded = content === undefined ? null : foldOf(platform, content)
  const shown = folded && !open ? folded.shown : content
  const text =
    content === undefined ? (
      <div className="flex flex-col gap-3 px-4 py-4" data-testid="preview-loading">
        <output className="sr-only">{words.loadingText}</output>
        {['w-full', 'w-full', 'w-11/12', 'w-full', 'w-3/5'].map((width, line) => (
          <Skeleton key={line} className={`h-3.5 ${width}`} />
        ))}
      </div>
    ) : (
      <p
        ref={whole}
        dir="auto"
        data-testid="preview-content"
        className="prose-post px-4 py-3 leading-relaxed"
        {...(folded && open && { tabIndex: 0 })}
      >
        {platform === 'instagram' && content !== '' && <strong className="font-semibold">{`${accountName} `}</strong>}
        {shown ? <Text platform={platform} text={shown} /> : <span className="text-quiet">{words.emptyPreview}</span>}
        {folded && !open && (
          <button type="button" className="text-quiet hover:underline" onClick={unfold}>
            {folded.more}
          </button>
        )}
      </p>
    )
  const image = imageUrl && <PostImage src={imageUrl} className={`w-full ${imageRatio[platform]}`} />
  return (
    <div className="overflow-hidden rounded-card border border-line bg-surface" data-testid="network-preview">
      <div className="flex items-center gap-3 px-4 pt-4 pb-1">
        <span className="grid size-9 shrink-0 place-items-center rounded-full bg-n3">
          <PlatformIcon platform={platform} className="size-4.5" />
        </span>
        <div className="min-w-0">
          <p className="truncate font-semibold">{accountName}</p>
          <p className="text-xs text-quiet">{`${platformLook[platform].title} · ${when}`}</p>
        </div>
      </div>
      {platform === 'instagram' ? (
        <>
          {image && <div className="pt-2">{image}</div>}
          {text}
        </>
      ) : (
        <>
          {text}
          {image && <div className={platform === 'twitter' ? 'px-4 pb-4' : ''}>{image}</div>}
        </>
      )}
    </div>
  )
}

/** Links look like links and lead nowhere: this is a picture of the post. */
const Text = ({ platform, text }: { readonly platform: Platform; readonly text: string }) =>
  partsOf(platform, text).map((part, index) =>
    part.isLink ? (
      <span key={index} className="text-accent-ink" data-testid="preview-link">
        {part.text}
      </span>
    ) : (
      part.text
    ),
  )
