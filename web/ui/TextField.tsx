import { useId, type HTMLInputTypeAttribute, type ReactNode } from 'react'
import { controlStyle, errorStyle, hintStyle, labelStyle } from './field.ts'

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
  readonly autoComplete?: string
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
  const { label, value, hint, error, required = false, readOnly = false, rows, placeholder, type = 'text', min, max } = props
  const { onChange } = props
  const id = useId()
  const told = error === undefined ? hint : error
  const control = {
    id,
    value,
    readOnly: readOnly || onChange === undefined,
    onChange: (event: { readonly target: { readonly value: string } }) => onChange?.(event.target.value),
    ...(props.onBlur && { onBlur: props.onBlur }),
    ...(props.name && { name: props.name }),
    ...(props.autoComplete && { autoComplete: props.autoComplete }),
    ...(props.focusFirst && { autoFocus: true }),
    ...(placeholder && { placeholder }),
    ...(required && { 'aria-required': true }),
    ...(error !== undefined && { 'aria-invalid': true }),
    ...(told !== undefined && { 'aria-describedby': `${id}-told` }),
  }
  return (
    <div className={`flex min-w-0 flex-col gap-1.5 ${props.className ?? ''}`}>
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
      {told !== undefined && (
        <span id={`${id}-told`} className={error === undefined ? hintStyle : errorStyle}>
          {told}
        </span>
      )}
    </div>
  )
}
