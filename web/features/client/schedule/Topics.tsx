import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { controlStyle, errorStyle, hintStyle, labelStyle } from '../../../ui/field.ts'
import { words } from './words.ts'

interface Props {
  readonly topics: readonly string[]
  readonly onChange: (topics: readonly string[]) => void
  readonly error: string | undefined
}

export function Topics({ topics, onChange, error }: Props) {
  const [typed, setTyped] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const add = () => {
    const topic = typed.trim()
    if (topic !== '' && !topics.includes(topic)) onChange([...topics, topic])
    setTyped('')
  }
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <label htmlFor="schedule-topic" className={labelStyle}>
        {words.topics}
      </label>
      {topics.length > 0 && (
        <ul aria-label={words.topics} className="flex flex-wrap gap-1.5">
          {topics.map((topic) => (
            <li key={topic} className="flex max-w-full items-center rounded-full bg-n4 py-0.5 pr-0.5 pl-3 text-sm">
              <span dir="auto" className="truncate">
                {topic}
              </span>
              <Button
                look="quiet"
                size="icon"
                aria-label={words.removeTopic(topic)}
                className="ml-0.5 size-6"
                onPress={() => {
                  onChange(topics.filter((each) => each !== topic))
                  field.current?.focus()
                }}
              >
                <X aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex gap-2">
        <input
          ref={field}
          id="schedule-topic"
          dir="auto"
          maxLength={200}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            add()
          }}
          onBlur={add}
          placeholder={words.topicExample}
          aria-describedby="schedule-topic-told"
          className={controlStyle()}
        />
        <Button onPress={add}>{words.add}</Button>
      </div>
      <p id="schedule-topic-told" className={error === undefined ? hintStyle : errorStyle}>
        {error ?? words.topicsHint}
      </p>
    </div>
  )
}
