import type { HTMLInputTypeAttribute, ReactNode } from 'react'
import { FieldError } from 'react-aria-components/FieldError'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { Text } from 'react-aria-components/Text'
import { TextArea } from 'react-aria-components/TextArea'
import { TextField as AriaTextField } from 'react-aria-components/TextField'
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

export function TextField(props: TextFieldProps) {
  const { label, value, hint, error, required = false, readOnly = false, rows, placeholder, type = 'text', min, max } = props
  return (
    <AriaTextField
      value={value}
      type={type}
      isRequired={required}
      isReadOnly={readOnly}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      {...(props.focusFirst && { autoFocus: true })}
      {...(props.name && { name: props.name })}
      {...(props.autoComplete && { autoComplete: props.autoComplete })}
      {...(props.onChange && { onChange: props.onChange })}
      {...(props.onBlur && { onBlur: props.onBlur })}
      className={`flex min-w-0 flex-col gap-1.5 ${props.className ?? ''}`}
    >
      <Label className={labelStyle}>
        {label}
        {required && (
          <span aria-hidden className="text-rejected-ink">
            {' *'}
          </span>
        )}
      </Label>
      {rows === undefined ? (
        <Input className={controlStyle()} {...(placeholder && { placeholder })} {...(min && { min })} {...(max && { max })} />
      ) : (
        <TextArea className={controlStyle({ kind: 'area' })} rows={rows} {...(placeholder && { placeholder })} dir="auto" />
      )}
      {hint !== undefined && error === undefined && (
        <Text slot="description" className={hintStyle}>
          {hint}
        </Text>
      )}
      <FieldError className={errorStyle}>{error}</FieldError>
    </AriaTextField>
  )
}
