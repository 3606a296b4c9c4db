import { useMemo } from 'react'
import { differences } from './text-difference.ts'
import { words } from './history-panel-words.ts'

interface Props {
  readonly before: string
  readonly after: string
}

/**
 * Shows one text with removed words struck through and added words underlined; a screen reader announces where each
 * begins and ends.
 */
export default function TextDifference({ before, after }: Props) {
  const parts = useMemo(() => differences(before, after), [before, after])
  return (
    <p dir="auto" data-testid="text-difference" className="prose-post mt-1 rounded-control bg-n3 px-3 py-2">
      {parts.map(({ kind, text }, index) => {
        // A part is where it is, and nothing else tells it apart.
        const key = `${index} ${kind}`
        if (kind === 'same') return <span key={key}>{text}</span>
        const Tag = kind === 'removed' ? 'del' : 'ins'
        return (
          <Tag
            key={key}
            className={
              kind === 'removed'
                ? 'bg-rejected-soft text-rejected-ink line-through'
                : 'bg-published-soft text-published-ink underline underline-offset-2'
            }
          >
            <Said>{kind === 'removed' ? words.removed : words.added}</Said>
            {text}
            <Said>{kind === 'removed' ? words.endOfRemoved : words.endOfAdded}</Said>
          </Tag>
        )
      })}
    </p>
  )
}

const Said = ({ children }: { readonly children: string }) => <span className="sr-only select-none">{children}</span>
