import { useId, useState } from 'react'
import { textLength, textLimits, type Platform } from '../../../api/contract/index.ts'
import { isDone, type Suggestion, type Written } from '../../lib/writing-events.ts'
import { Button } from '../Button.tsx'
import { LimitRing } from '../LimitRing.tsx'
import { WriterNote } from './WriterNote.tsx'
import { writerWords as words } from './writer-words.ts'

interface Props {
  readonly suggestions: readonly Suggestion[]
  readonly platform: Platform
  readonly isWriting: boolean
  readonly onUse: (text: Written) => void
  readonly onDiscard: () => void
}

/** Suggestions of the writer. The text changes only when the user takes one. */
export function Suggestions({ suggestions, platform, isWriting, onUse, onDiscard }: Props) {
  const [picked, setPicked] = useState(0)
  const name = useId()
  const chosen = [suggestions[picked], ...suggestions].find((each) => each !== undefined && isDone(each))
  const written = chosen && isDone(chosen) ? chosen.written : null
  const several = suggestions.length > 1
  return (
    <div className="flex flex-col gap-3" data-testid="suggestions">
      <div
        className={several ? 'grid gap-3' : 'contents'}
        {...(several && { role: 'radiogroup', 'aria-label': words.suggested })}
      >
        {suggestions.map((each, index) => (
          <Card
            key={index}
            suggestion={each}
            platform={platform}
            {...(several && {
              choice: { name, number: index + 1, isChosen: each === chosen, onChoose: () => setPicked(index) },
            })}
          />
        ))}
      </div>
      {written && <WriterNote source={written.source} />}
      {!isWriting && written && (
        <div className="flex flex-wrap gap-2">
          <Button size="sm" look="primary" onPress={() => onUse(written)}>
            {words.use}
          </Button>
          <Button size="sm" look="quiet" onPress={onDiscard}>
            {words.discard}
          </Button>
        </div>
      )}
    </div>
  )
}

interface Choice {
  readonly name: string
  readonly number: number
  readonly isChosen: boolean
  readonly onChoose: () => void
}

const cardStyle = 'block rounded-card border border-line bg-surface p-3'

function Card({
  suggestion,
  platform,
  choice,
}: {
  readonly suggestion: Suggestion
  readonly platform: Platform
  readonly choice?: Choice
}) {
  const text = (
    <>
      {suggestion.state === 'failed' ? (
        <span className="text-rejected-ink">{suggestion.sentence}</span>
      ) : (
        <span dir="auto" className="prose-post block" data-testid="suggestion">
          {suggestion.content || ' '}
        </span>
      )}
      {isDone(suggestion) && (
        <span className="mt-2 flex justify-end">
          <LimitRing used={textLength(platform, suggestion.content)} limit={textLimits[platform]} />
        </span>
      )}
    </>
  )
  if (!choice) return <div className={cardStyle}>{text}</div>
  return (
    <label
      className={`${cardStyle} cursor-pointer has-checked:border-accent has-focus-visible:outline-2 has-focus-visible:outline-accent`}
    >
      <span id={`${choice.name}-${choice.number}`} className="mb-1 flex items-center gap-2 text-sm font-medium">
        <input
          type="radio"
          name={choice.name}
          aria-labelledby={`${choice.name}-${choice.number}`}
          className="accent-accent"
          checked={choice.isChosen}
          disabled={!isDone(suggestion)}
          onChange={choice.onChoose}
        />
        {words.option(choice.number)}
      </span>
      {text}
    </label>
  )
}
