import type { Rewrite } from '../../../api/contract/index.ts'
import { PaidButton } from '../PaidButton.tsx'
import { writerWords as words } from './writer-words.ts'

const ways = Object.keys(words.rewrites) as readonly Rewrite[]

interface Props {
  readonly label: string
  readonly isDisabled: boolean
  /** The one that is under way. */
  readonly running: Rewrite | null
  readonly onRewrite: (how: Rewrite) => void
}

/** Other versions of the text that is there, a press each. */
export function RewriteButtons({ label, isDisabled, running, onRewrite }: Props) {
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-2" data-testid="rewrites">
      <legend className="mb-2 text-sm text-quiet">{label}</legend>
      {ways.map((how) => (
        <PaidButton
          key={how}
          size="sm"
          pending={how === running}
          isDisabled={isDisabled && how !== running}
          onPress={() => onRewrite(how)}
        >
          {words.rewrites[how]}
        </PaidButton>
      ))}
    </fieldset>
  )
}
