/** A closed select. Its list is loaded when the pointer or the focus comes near. */
import { ChevronsUpDown } from 'lucide-react'
import { useId, useState, type ComponentType, type KeyboardEvent, type ReactNode } from 'react'
import { controlStyle, errorStyle, labelStyle } from './field.ts'
import { toast } from './toast.ts'
import { words } from './words.ts'

interface Props {
  readonly label: string
  /** Keeps the label for screen readers only. */
  readonly labelHidden?: boolean
  /** The selected option's label. */
  readonly children: ReactNode
  readonly error?: string | undefined
  readonly required?: boolean
  readonly disabled?: boolean
  readonly testId?: string | undefined
  readonly shortcut?: '/' | undefined
  readonly className?: string | undefined
  readonly onNear: () => void
  readonly onOpen: () => void
}

export function SelectButton({
  label,
  labelHidden = false,
  children,
  error,
  required = false,
  onNear,
  onOpen,
  ...props
}: Props) {
  const id = useId()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    onOpen()
  }
  return (
    <div className={`flex min-w-0 flex-col gap-1.5 ${props.className ?? ''}`}>
      <span id={`${id}-label`} className={labelHidden ? 'sr-only' : labelStyle}>
        {label}
        {required && (
          <span aria-hidden className="text-rejected-ink">
            {' *'}
          </span>
        )}
      </span>
      <button
        type="button"
        aria-haspopup="listbox"
        aria-expanded={false}
        aria-labelledby={`${id}-value ${id}-label`}
        {...(error !== undefined && { 'aria-describedby': `${id}-error` })}
        disabled={props.disabled ?? false}
        data-testid={props.testId}
        data-shortcut={props.shortcut}
        onPointerEnter={onNear}
        onFocus={onNear}
        onClick={onOpen}
        onKeyDown={onKeyDown}
        className={`${controlStyle()} flex items-center justify-between gap-2 text-left ${error === undefined ? '' : 'border-danger'}`}
      >
        <span id={`${id}-value`} className="flex min-w-0 items-center gap-2.5 [&_svg]:shrink-0">
          {children}
        </span>
        <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-quiet" />
      </button>
      {error !== undefined && (
        <span id={`${id}-error`} className={errorStyle}>
          {error}
        </span>
      )}
    </div>
  )
}

/** The whole control in place of the closed one, from the first time that it is opened. */
export function useWhole<P>(load: () => Promise<ComponentType<P>>) {
  const [whole, setWhole] = useState<{ readonly Whole: ComponentType<P> } | null>(null)
  return {
    Whole: whole?.Whole ?? null,
    near: () => void load().catch(() => undefined),
    open: () =>
      void load().then(
        (Whole) => setWhole({ Whole }),
        () =>
          toast({
            title: words.error,
            description: words.listNotLoaded,
            variant: 'destructive',
          }),
      ),
  }
}
