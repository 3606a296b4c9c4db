/** Judges several posts: which ones, and what about them. */
import { Check, ChevronDown, ChevronUp, Mail, X } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { PaidButton } from '../../ui/PaidButton.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import type { Reviewing } from './use-review.ts'
import { words } from './words.ts'

interface Props {
  readonly review: Reviewing
  readonly count: number
  readonly onApprove: () => void
  readonly onReject: () => void
  /** Undefined where the posts are of several clients, or the member may not send them. */
  readonly onSend: (() => void) | undefined
}

const keys = [
  ['j', 'k', words.bar.keys.move],
  ['x', words.bar.keys.select],
  ['a', words.bar.keys.approve],
  ['r', words.bar.keys.reject],
] as const

export function ReviewBar({ review, count, onApprove, onReject, onSend }: Props) {
  const { chosen, meant, running } = review
  const isAll = chosen.length === count
  const several = words.bar.several(meant.length)
  const progress = words.bar.progress(running?.done ?? 0, running?.of ?? 1)
  return (
    <div
      role="toolbar"
      aria-label={words.bar.label}
      data-testid="review-bar"
      className="sticky top-2 z-10 mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-float px-4 py-2.5 shadow-card"
    >
      <label className="flex min-h-9 cursor-pointer items-center gap-2.5 font-medium">
        <input
          type="checkbox"
          checked={isAll}
          ref={(box) => {
            if (box) box.indeterminate = chosen.length > 0 && !isAll
          }}
          onChange={({ target }) => review.chooseAll(target.checked)}
          className="size-4 accent-accent"
          data-testid="checkbox-all"
        />
        <span className="tabular" aria-live="polite">
          {chosen.length === 0 ? words.bar.selectAll(count) : words.bar.selected(chosen.length, count)}
        </span>
      </label>
      <p className="hidden items-center gap-3 text-xs text-quiet lg:flex pointer-coarse:hidden" aria-hidden>
        {keys.map((row) => (
          <span key={row.at(-1)} className="flex items-center gap-1">
            {row.slice(0, -1).map((key) => (
              <kbd
                key={key}
                className="grid h-5 min-w-5 place-items-center rounded-control border border-n6 bg-n3 px-1 font-sans font-medium"
              >
                {key}
              </kbd>
            ))}
            {row.at(-1)}
          </span>
        ))}
      </p>
      <div className="ml-auto flex flex-wrap items-center justify-end gap-2">
        <Tooltip text={words.bar.previous}>
          <Button look="quiet" size="icon" aria-label={words.bar.previous} onPress={review.previous} data-shortcut="k">
            <ChevronUp aria-hidden />
          </Button>
        </Tooltip>
        <Tooltip text={words.bar.next}>
          <Button look="quiet" size="icon" aria-label={words.bar.next} onPress={review.next} data-shortcut="j">
            <ChevronDown aria-hidden />
          </Button>
        </Tooltip>
        {onSend && (
          <PaidButton onPress={onSend} aria-label={words.bar.send} data-testid="button-send-for-review">
            <Mail aria-hidden />
            <span className="max-sm:sr-only">{words.bar.send}</span>
          </PaidButton>
        )}
        <Button
          onPress={onReject}
          isDisabled={meant.length === 0 || running?.status === 'approved'}
          pending={running?.status === 'rejected'}
          data-shortcut="r"
          data-testid="button-reject-selected"
        >
          <X aria-hidden />
          {running?.status === 'rejected' ? words.bar.rejecting(progress) : words.bar.reject(several)}
        </Button>
        <PaidButton
          look="primary"
          onPress={onApprove}
          isDisabled={meant.length === 0 || running?.status === 'rejected'}
          pending={running?.status === 'approved'}
          data-shortcut="a"
          data-testid="button-approve-selected"
        >
          <Check aria-hidden />
          {running?.status === 'approved' ? words.bar.approving(progress) : words.bar.approve(several)}
        </PaidButton>
      </div>
    </div>
  )
}
