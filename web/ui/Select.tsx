import type { ReactNode } from 'react'
import { SelectButton, useWhole } from './SelectButton.tsx'

export interface Option {
  readonly id: string
  readonly label: string
  readonly icon?: ReactNode
  readonly note?: string
}

export interface SelectProps {
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
  /** The key that leads here. */
  readonly shortcut?: '/'
  readonly className?: string
}

const load = () => import('./ListSelect.tsx').then((module) => module.default)

export function Select(props: SelectProps) {
  const { Whole, near, open } = useWhole(load)
  const chosen = props.options.find(({ id }) => id === props.value)
  if (Whole) return <Whole {...props} />
  const { label, labelHidden = false, error, required = false, disabled = false, testId, shortcut, className } = props
  return (
    <SelectButton
      {...{ label, labelHidden, error, required, disabled, testId, shortcut, className }}
      onNear={near}
      onOpen={open}
    >
      {chosen?.icon}
      <span dir="auto" className={`truncate ${chosen ? '' : 'text-quiet'}`}>
        {chosen?.label ?? props.placeholder ?? 'Select'}
      </span>
    </SelectButton>
  )
}
