/** The text and the image of a post, to choose what a comment is about: by selecting text, or by a point. */
import { useId, useRef, useState } from 'react'
import type { PostComments } from '../../../api/contract/index.ts'
import { errorStyle, labelStyle } from '../field.ts'
import { PlainButton } from '../PlainButton.tsx'
import { PinnedImage } from './PinnedImage.tsx'
import { pointsIn, rangeOf, type Place, type Placed } from './place.ts'
import { SelectableText } from './SelectableText.tsx'
import { words } from './words.ts'

interface Props {
  readonly of: Pick<PostComments, 'content' | 'textHash' | 'imageUrl' | 'imageHash'> & {
    readonly comments: readonly Placed[]
  }
  readonly place: Place | null
  readonly onChoose: (place: Place) => void
}

export function ChoosePlace({ of: { content, textHash, imageUrl, imageHash, comments }, place, onChoose }: Props) {
  const text = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const [isMissing, setMissing] = useState(false)
  const selection = () => {
    const { selectionStart = 0, selectionEnd = 0 } = text.current ?? {}
    return rangeOf(content, selectionStart, selectionEnd)
  }
  const chooseRange = () => {
    const range = selection()
    setMissing(range === null)
    if (range) onChoose({ kind: 'range', ...range, contentHash: textHash })
  }
  return (
    <div className="flex flex-col gap-3 rounded-card border border-line bg-n2 p-3" data-testid="choose-place">
      <div className="flex flex-col gap-1.5">
        <label htmlFor={`${id}-text`} className={labelStyle}>
          {words.selectText}
        </label>
        <SelectableText
          ref={text}
          id={`${id}-text`}
          text={content}
          describedBy={isMissing ? `${id}-missing` : undefined}
        />
      </div>
      {isMissing && (
        <p id={`${id}-missing`} role="alert" className={errorStyle}>
          {words.selectFirst}
        </p>
      )}
      <PlainButton className="self-start" onPress={chooseRange} data-testid="button-comment-on-selection">
        {words.onSelection}
      </PlainButton>
      {imageUrl !== null && imageHash !== null && (
        <div className="flex flex-col gap-1.5">
          <span aria-hidden className={labelStyle}>
            {words.imageHint}
          </span>
          <PinnedImage
            src={imageUrl}
            points={pointsIn(comments)}
            chosen={place?.kind === 'point' ? place : null}
            onChoose={(point) => onChoose({ kind: 'point', ...point, contentHash: imageHash })}
          />
        </div>
      )}
    </div>
  )
}
