import { Button } from '../../ui/Button.tsx'
import type { Composing, SaveAs } from './use-composer.ts'

export function ComposerActions({ composer }: { readonly composer: Composing }) {
  const { save, saving, refusal } = composer
  const act = (as: SaveAs) => ({
    onPress: () => save(as),
    pending: saving === as,
    isDisabled: saving !== null && saving !== as,
  })
  return (
    <>
      <p aria-live="polite" className="mr-auto min-w-0 basis-full self-center text-rejected-ink empty:hidden sm:basis-auto" data-testid="form-error">
        {refusal}
      </p>
      <Button look="quiet" {...act('draft')}>
        Save as Draft
      </Button>
      <Button {...act('pending')}>Submit for Review</Button>
      <Button look="primary" {...act('scheduled')}>
        Schedule
      </Button>
    </>
  )
}
