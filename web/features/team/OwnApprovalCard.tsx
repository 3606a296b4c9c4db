/** Whether people may approve posts that they wrote. */
import { useMutation } from '@tanstack/react-query'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import type { OwnApproval, Team } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { queryClient } from '../../lib/query-client.ts'
import { afterAgencyChange } from '../../lib/refetch.ts'
import { teamQuery } from '../../lib/team-queries.ts'
import { Card } from '../../ui/Card.tsx'
import { radioStyle } from '../../ui/radio-style.ts'
import { toast } from '../../ui/toast.ts'
import { words } from './words.ts'

const choices = ['allowed', 'refused'] as const satisfies readonly OwnApproval[]

export function OwnApprovalCard({ team: { members, ownApproval } }: { readonly team: Team }) {
  const change = useMutation({
    mutationFn: (next: OwnApproval) => call('PATCH /api/team', { body: { ownApproval: next } }),
    onSuccess: async (team) => {
      queryClient.setQueryData(teamQuery.queryKey, team)
      await afterAgencyChange()
      toast({ title: words.approval.changed, description: words.approval.changedText[team.ownApproval] })
    },
    onError: (error) => toast({ title: words.approval.failed, description: errorText(error), variant: 'destructive' }),
  })
  return (
    <Card data-testid="card-own-approval">
      <h2 className="font-semibold" id="own-approval">
        {words.approval.heading}
      </h2>
      {members.length > 1 && ownApproval === 'allowed' && (
        <p className="mt-1 max-w-text text-quiet">{words.approval.suggested}</p>
      )}
      <RadioGroup
        aria-labelledby="own-approval"
        value={change.isPending ? change.variables : ownApproval}
        onChange={(next) => change.mutate(next as OwnApproval)}
        isDisabled={change.isPending}
        className="mt-3 flex flex-col gap-2"
      >
        {choices.map((each) => (
          <Radio key={each} value={each} className={`${radioStyle} min-h-7`}>
            {words.approval[each]}
          </Radio>
        ))}
      </RadioGroup>
    </Card>
  )
}
