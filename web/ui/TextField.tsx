import { useId, type HTMLInputTypeAttribute, type ReactNode } from 'react'
import { adviceStyle, controlStyle, errorStyle, hintStyle, labelStyle } from './field.ts'

export interface TextFieldProps {
  readonly label: ReactNode
  readonly value: string
  readonly onChange?: (value: string) => void
  readonly onBlur?: () => void
  readonly name?: string
  readonly type?: HTMLInputTypeAttribute
  readonly placeholder?: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  /** Said in place of the hint, which stays as tall as the tallest of what may be said. */
  readonly advice?: { readonly said: string | null; readonly tallest: string }
  /** At the end of the label's line. */
  readonly tool?: ReactNode
  readonly autoComplete?: string
  readonly spellCheck?: boolean
  readonly required?: boolean
  readonly readOnly?: boolean
  /** Takes the focus when its dialog opens: the first thing that a person came to fill in. */
  readonly focusFirst?: boolean
  /** More than one line. */
  readonly rows?: number
  readonly min?: string
  readonly max?: string
  readonly className?: string
}

/** By the browser's own means: a library's field would be half of what the first page loads. */
export function TextField(props: TextFieldProps) {
  const {
    label,
    value,
    hint,
    error,
    advice,
    required = false,
    readOnly = false,
    rows,
    placeholder,
    type = 'text',
    min,
    max,
  } = props
  const { onChange } = props
  const id = useId()
  const result = error ?? advice?.said ?? hint
  const control = {
    id,
    value,
    readOnly: readOnly || onChange === undefined,
    onChange: (event: { readonly target: { readonly value: string } }) => onChange?.(event.target.value),
    ...(props.onBlur && { onBlur: props.onBlur }),
    ...(props.name && { name: props.name }),
    ...(props.autoComplete && { autoComplete: props.autoComplete }),
    ...(props.spellCheck !== undefined && { spellCheck: props.spellCheck, autoCapitalize: 'none' }),
    ...(props.focusFirst && { autoFocus: true }),
    ...(placeholder && { placeholder }),
    ...(required && { 'aria-required': true }),
    ...(error !== undefined && { 'aria-invalid': true }),
    ...(result !== undefined && { 'aria-describedby': `${id}-told` }),
  }
  return (
    <div className={`relative flex min-w-0 flex-col gap-1.5 ${props.className ?? ''}`}>
      <label htmlFor={id} className={labelStyle}>
        {label}
        {required && (
          <span aria-hidden className="text-rejected-ink">
            {' *'}
          </span>
        )}
      </label>
      {rows === undefined ? (
        <input {...control} type={type} className={controlStyle()} {...(min && { min })} {...(max && { max })} />
      ) : (
        <textarea {...control} className={controlStyle({ kind: 'area' })} rows={rows} dir="auto" />
      )}
      {props.tool}
      {result !== undefined && (
        <span className="grid *:[grid-area:1/1]">
          {advice && (
            <span
              aria-hidden
              data-place={advice.tallest}
              className={`invisible before:content-[attr(data-place)] ${hintStyle}`}
            />
          )}
          <span
            id={`${id}-told`}
            {...(advice && { 'aria-live': 'polite' })}
            className={styleOfHint(error, advice?.said)}
          >
            {result}
          </span>
        </span>
      )}
    </div>
  )
}

const styleOfHint = (error: string | undefined, advice: string | null | undefined) =>
  error === undefined ? (advice ? adviceStyle : hintStyle) : errorStyle
