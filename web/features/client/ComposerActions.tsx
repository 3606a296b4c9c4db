import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PaidButton } from '../../ui/PaidButton.tsx'
import { ForRole } from '../../ui/ForRole.tsx'
import { policyQuery } from './approval/policy-query.ts'
import type { Composing, SaveAs } from './use-composer.ts'
import { words } from './words.ts'

interface Props {
  readonly clientId: string
  readonly composer: Composing
}

export function ComposerActions({ clientId, composer }: Props) {
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
        <WithoutPolicy clientId={clientId}>
          <PaidButton look="primary" {...act('scheduled')}>
            {words.schedule}
          </PaidButton>
        </WithoutPolicy>
      </ForRole>
    </>
  )
}

/** Under a policy a post needs its approvals first: the server refuses to schedule a draft. */
function WithoutPolicy({ clientId, children }: { readonly clientId: string; readonly children: ReactNode }) {
  const { data: policy } = useQuery(policyQuery(clientId))
  return policy !== undefined && policy.steps.length > 0 ? null : children
}
