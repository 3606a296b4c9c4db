import { Check, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { FieldError } from 'react-aria-components/FieldError'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select'
import { controlStyle, errorStyle, labelStyle } from './field.ts'

export interface Option {
  readonly id: string
  readonly label: string
  readonly icon?: ReactNode
  readonly note?: string
}

interface Props {
  readonly label: string
  /** Keeps the label for screen readers only. */
  readonly labelHidden?: boolean
  readonly options: readonly Option[]
  readonly value: string | null
  readonly onChange: (id: string) => void
  readonly placeholder?: string
  readonly error?: string | undefined
  readonly required?: boolean
  readonly disabled?: boolean
  readonly testId?: string
  readonly className?: string
}

export const popoverStyle =
  'rounded-card bg-float shadow-float outline-none entering:animate-in entering:fade-in-0 entering:zoom-in-98 entering:duration-150 exiting:animate-out exiting:fade-out-0 exiting:duration-100'
export const optionStyle =
  'flex cursor-default items-center gap-2.5 rounded-control px-2.5 py-2 text-base text-ink outline-none select-none focused:bg-n3 pressed:bg-n4 [&_svg]:shrink-0'

export function Select(props: Props) {
  const { label, labelHidden = false, options, value, onChange, placeholder, error } = props
  return (
    <AriaSelect
      value={value}
      onChange={(key) => key !== null && onChange(String(key))}
      placeholder={placeholder ?? 'Select'}
      isInvalid={error !== undefined}
      isRequired={props.required ?? false}
      isDisabled={props.disabled ?? false}
      validationBehavior="aria"
      {...(labelHidden && { 'aria-label': label })}
      className={`flex min-w-0 flex-col gap-1.5 ${props.className ?? ''}`}
    >
      {!labelHidden && (
        <Label className={labelStyle}>
          {label}
          {props.required && (
            <span aria-hidden className="text-rejected-ink">
              {' *'}
            </span>
          )}
        </Label>
      )}
      <Button
        data-testid={props.testId}
        className={`${controlStyle()} flex items-center justify-between gap-2 text-left ${error === undefined ? '' : 'border-danger'}`}
      >
        <SelectValue className="flex min-w-0 items-center gap-2.5 truncate placeholder-shown:text-quiet [&_[slot=description]]:hidden [&_svg]:shrink-0" />
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-quiet" />
      </Button>
      <FieldError className={errorStyle}>{error}</FieldError>
      <Popover className={`${popoverStyle} min-w-(--trigger-width)`}>
        <ListBox items={options} className="max-h-80 overflow-auto p-1.5 outline-none">
          {(option) => (
            <ListBoxItem id={option.id} textValue={option.label} className={optionStyle}>
              {({ isSelected }) => (
                <>
                  {option.icon}
                  <span className="min-w-0 flex-1 truncate">{option.label}</span>
                  {option.note !== undefined && <span className="text-sm text-quiet">{option.note}</span>}
                  {isSelected && <Check aria-hidden className="size-4 text-accent-ink" />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
