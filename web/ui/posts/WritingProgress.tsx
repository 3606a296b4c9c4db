import { Button } from '../Button.tsx'
import { writerWords as words } from './writer-words.ts'

interface Props {
  /** Whether anything of the text is there already. */
  readonly begun: boolean
  readonly onCancel: () => void
}

/** Says that the writer works, with a button to cancel. */
export function WritingProgress({ begun, onCancel }: Props) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <output className="text-sm text-quiet">{begun ? words.writing : words.reading}</output>
      <Button size="sm" className="ml-auto" onPress={onCancel}>
        {words.cancel}
      </Button>
    </div>
  )
}
