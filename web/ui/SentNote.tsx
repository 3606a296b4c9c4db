import { Check } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { PlainButton } from './PlainButton.tsx'
import { words } from './form-words.ts'

interface Props {
  readonly title: string
  readonly text: string
  /** The address, where the sentence doesn't name it. */
  readonly to?: string
  readonly onAgain: () => void
}

/** A mail was sent: what happens next, and what to do when it doesn't come. Read out as it takes the form's place. */
export function SentNote({ title, text, to, onAgain }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div data-testid="mail-sent">
      <span
        aria-hidden
        className="mb-4 grid size-10 place-items-center rounded-full bg-approved-soft text-approved-ink"
      >
        <Check className="size-5" />
      </span>
      <h2 ref={heading} tabIndex={-1} className="text-xl font-semibold outline-none">
        {title}
      </h2>
      <p className="mt-1">{text}</p>
      <p className="mt-3 text-sm text-quiet">
        {to === undefined ? words.mailMissing : words.mailMissingAt}{' '}
        {to !== undefined && <span className="wrap-anywhere text-ink">{`${to}. `}</span>}
        <PlainButton look="link" size="inline" className="text-sm! underline" onPress={onAgain}>
          {words.sendAgain}
        </PlainButton>
      </p>
    </div>
  )
}
