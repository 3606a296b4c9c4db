import { PaidButton } from '../../ui/PaidButton.tsx'
import { ForRole } from '../../ui/ForRole.tsx'
import type { Composing, SaveAs } from './use-composer.ts'
import { words } from './words.ts'

export function ComposerActions({ composer }: { readonly composer: Composing }) {
  const { save, saving, refusal } = composer
  const act = (as: SaveAs) => ({
    onPress: () => save(as),
    pending: saving === as,
    isDisabled: saving !== null && saving !== as,
  })
  return (
    <>
      <p
        aria-live="polite"
        className="mr-auto min-w-0 basis-full self-center text-rejected-ink empty:hidden sm:basis-auto"
        data-testid="form-error"
      >
        {refusal}
      </p>
      <PaidButton look="quiet" {...act('draft')}>
        {words.saveDraft}
      </PaidButton>
      <PaidButton {...act('pending')}>{words.submit}</PaidButton>
      <ForRole least="manager">
        <PaidButton look="primary" {...act('scheduled')}>
          {words.schedule}
        </PaidButton>
      </ForRole>
    </>
  )
}
