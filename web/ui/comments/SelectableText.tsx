/**
 * A text whose parts are selected, by mouse, touch and keyboard. It can't be changed, and isn't `readonly`: Chromium
 * has no caret in such a field, so that keys could select nothing.
 */
import { useEffect, useRef, type Ref } from 'react'
import { controlStyle } from '../field.ts'

interface Props {
  readonly id: string
  readonly text: string
  readonly ref: Ref<HTMLTextAreaElement>
  readonly describedBy?: string | undefined
}

const refuse = (event: Event) => event.preventDefault()
const keep = () => undefined

export function SelectableText({ id, text, ref, describedBy }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  // React has no event of its own for pasting, cutting and deleting alike.
  useEffect(() => {
    const around = frame.current
    around?.addEventListener('beforeinput', refuse)
    return () => around?.removeEventListener('beforeinput', refuse)
  }, [])
  return (
    <div ref={frame} className="flex flex-col">
      <textarea
        ref={ref}
        id={id}
        dir="auto"
        rows={4}
        value={text}
        onChange={keep}
        aria-readonly
        inputMode="none"
        spellCheck={false}
        {...(describedBy !== undefined && { 'aria-describedby': describedBy })}
        className={controlStyle({ kind: 'area' })}
      />
    </div>
  )
}
