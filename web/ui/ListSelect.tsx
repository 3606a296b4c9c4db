import { Check, ChevronsUpDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components/Button'
import { FieldError } from 'react-aria-components/FieldError'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select'
import { controlStyle, errorStyle, labelStyle, optionStyle, popoverStyle } from './field.ts'
import type { SelectProps } from './Select.tsx'
import { words } from './words.ts'

/** The whole control, with its list. It comes when the closed one is first touched, and opens at once. */
export default function ListSelect(props: SelectProps) {
  const { trigger, ...opening } = useOpenOnArrival()
  const { label, labelHidden = false, options, value, onChange, placeholder, error } = props
  return (
    <AriaSelect
      {...opening}
      value={value}
      onChange={(key) => key !== null && onChange(String(key))}
      placeholder={placeholder ?? words.select}
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
        ref={trigger}
        data-testid={props.testId}
        data-shortcut={props.shortcut}
        className={`${controlStyle()} flex items-center justify-between gap-2 text-left ${error === undefined ? '' : 'border-danger'}`}
      >
        <SelectValue className="flex min-w-0 items-center gap-2.5 truncate placeholder-shown:text-quiet [&_[slot=description]]:hidden [&_svg]:shrink-0" />
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-quiet" />
      </Button>
      <FieldError className={errorStyle}>{error}</FieldError>
      <Popover className={`${popoverStyle} max-w-[min(24rem,calc(100vw-1.5rem))] min-w-(--trigger-width)`}>
        {/* Whoever opened the list is in it: the library's focus inside an open popover, not the page's. */}
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
        <ListBox items={options} autoFocus="first" className="max-h-80 overflow-auto p-1.5 outline-none">
          {(option) => (
            <ListBoxItem id={option.id} textValue={option.label} className={optionStyle}>
              {({ isSelected }) => (
                <>
                  {option.icon}
                  <span dir="auto" className="min-w-0 flex-1 truncate">
                    {option.label}
                  </span>
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

/** Takes the focus from the closed control that stood here, so that it comes back when the list closes, and opens. */
export function useOpenOnArrival() {
  const trigger = useRef<HTMLButtonElement>(null)
  const [isOpen, onOpenChange] = useState(false)
  useEffect(() => {
    trigger.current?.focus()
    // Once the collection behind the list has been built.
    const frame = requestAnimationFrame(() => onOpenChange(true))
    return () => cancelAnimationFrame(frame)
  }, [])
  return { trigger, isOpen, onOpenChange }
}
