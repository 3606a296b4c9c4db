/** The field for a comment's words, which offers people behind an `@`. */
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { maxCommentLength } from '../../../api/contract/limits.ts'
import { controlStyle, errorStyle, hintStyle, labelStyle, optionStyle } from '../field.ts'
import { offered, typedName, withName, type Mentionable } from './mentions.ts'
import { words } from './words.ts'

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly people: readonly Mentionable[]
  readonly focusFirst?: boolean
}

export const isTooLong = (text: string): boolean =>
  text.length > maxCommentLength && [...text].length > maxCommentLength

export function CommentText({ label, value, onChange, people, focusFirst = false }: Props) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [caret, setCaret] = useState(0)
  const found = offered(people, typedName(value, caret))
  const choose = (name: string) => {
    const next = withName(value, caret, name)
    onChange(next.text)
    setCaret(next.caret)
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(next.caret, next.caret)
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || found.length === 0) return
    event.preventDefault()
    list.current?.querySelector<HTMLElement>('[role=option]')?.focus()
  }
  const error = isTooLong(value) ? words.tooLong(maxCommentLength.toLocaleString('en-US')) : undefined
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className={labelStyle}>
        {label}
      </label>
      <textarea
        ref={field}
        id={id}
        dir="auto"
        rows={3}
        value={value}
        {...(focusFirst && { autoFocus: true })}
        aria-describedby={`${id}-hint`}
        {...(error !== undefined && { 'aria-invalid': true })}
        className={controlStyle({ kind: 'area' })}
        onChange={({ target }) => {
          onChange(target.value)
          setCaret(target.selectionStart)
        }}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
      />
      <span id={`${id}-hint`} className={error === undefined ? hintStyle : errorStyle}>
        {error ?? words.hint}
      </span>
      {found.length > 0 && (
        <ListBox
          ref={list}
          aria-label={words.mention}
          items={found}
          className="rounded-card border border-line bg-float p-1"
          onAction={(key) => choose(found.find((person) => person.id === key)?.name ?? '')}
        >
          {({ id: key, name }) => (
            <ListBoxItem id={key} textValue={name} className={optionStyle}>
              {name}
            </ListBoxItem>
          )}
        </ListBox>
      )}
    </div>
  )
}
