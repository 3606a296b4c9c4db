/** An offer of the ownership that waits for an answer: for the owner, and for the member who gets it. */
import { useMutation } from '@tanstack/react-query'
import type { Agency, Team } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { afterAgencyChange } from '../../lib/refetch.ts'
import { afterTeamChange } from '../../lib/team-queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { toast } from '../../ui/toast.ts'
import { words } from './words.ts'

interface Props {
  readonly team: Team
  readonly me: Agency['me']
}

export function Ownership({ team: { members, ownershipOfferedTo }, me }: Props) {
  const onError = (error: unknown) =>
    toast({ title: words.ownership.failed, description: errorText(error), variant: 'destructive' })
  const accept = useMutation({
    mutationFn: () => call('POST /api/team/ownership/accept'),
    onSuccess: async () => {
      await Promise.all([afterTeamChange(), afterAgencyChange()])
      toast({ title: words.ownership.accepted, description: words.ownership.acceptedText })
    },
    onError,
  })
  const decline = useMutation({
    mutationFn: () => call('DELETE /api/team/ownership'),
    onSuccess: afterTeamChange,
    onError,
  })
  const offeredTo = members.find(({ id }) => id === ownershipOfferedTo)
  if (!offeredTo || (!offeredTo.isMe && me.role !== 'owner')) return null
  return (
    <Card data-testid="card-ownership-offer">
      <p className="max-w-text">{offeredTo.isMe ? words.ownership.forYou : words.ownership.waiting(offeredTo.name)}</p>
      <div className="mt-4 flex flex-wrap gap-2">
        {offeredTo.isMe && (
          <Button
            look="primary"
            pending={accept.isPending}
            onPress={() => accept.mutate()}
            data-testid="button-accept-ownership"
          >
            {words.ownership.accept}
          </Button>
        )}
        <Button pending={decline.isPending} onPress={() => decline.mutate()}>
          {offeredTo.isMe ? words.ownership.decline : words.ownership.takeBack}
        </Button>
      </div>
    </Card>
  )
}
