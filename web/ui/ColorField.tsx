import { TextField } from './TextField.tsx'
import { words } from './form-words.ts'

interface Props {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
}

/** A colour to pick or to type. */
export function ColorField({ label, name, value, onChange, error }: Props) {
  const known = /^#[0-9a-fA-F]{6}$/.test(value) ? value : '#000000'
  return (
    <div className="flex items-start gap-2">
      <TextField label={label} name={name} value={value} onChange={onChange} error={error} className="flex-1" />
      <input
        type="color"
        aria-label={words.pick(label)}
        value={known}
        onChange={(event) => onChange(event.target.value)}
        className="mt-6 h-9 w-12 shrink-0 cursor-pointer rounded-control border border-control bg-surface p-1"
      />
    </div>
  )
}
