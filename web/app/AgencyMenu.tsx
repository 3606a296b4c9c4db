/** The agencies of the person, opened from the agency's name. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, Users } from 'lucide-react'
import type { RefObject } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Popover } from 'react-aria-components/Popover'
import { call } from '../lib/call.ts'
import { errorText } from '../lib/error-text.ts'
import { openAnotherAgency } from '../lib/other-agency.ts'
import { agenciesQuery } from '../lib/team-queries.ts'
import { Button } from '../ui/Button.tsx'
import { popoverStyle } from '../ui/field.ts'
import { LinkButton } from '../ui/LinkButton.tsx'
import { LoadError } from '../ui/LoadError.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { toast } from '../ui/toast.ts'
import { words } from './words.ts'

interface Props {
  readonly trigger: RefObject<HTMLElement | null>
  readonly onClose: () => void
}

export default function AgencyMenu({ trigger, onClose }: Props) {
  const agencies = useQuery({ ...agenciesQuery, staleTime: 0 })
  const choose = useMutation({
    mutationFn: (agencyId: string) => call('POST /api/auth/agency', { body: { agencyId } }),
    onSuccess: openAnotherAgency,
    onError: (error) => {
      onClose()
      toast({ title: words.notSwitched, description: errorText(error), variant: 'destructive' })
    },
  })
  return (
    <Popover
      isOpen
      triggerRef={trigger}
      placement="bottom start"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className={`${popoverStyle} w-72 max-w-[calc(100vw-1.5rem)]`}
    >
      <Dialog aria-label={words.agencies} className="p-1.5 outline-none">
        <p className="px-2.5 pt-1 pb-1.5 text-xs font-medium text-quiet">{words.agencies}</p>
        {agencies.isPending && <Skeleton className="mx-2.5 mb-2 h-8" />}
        {agencies.isError && (
          <LoadError what={words.theAgencies} error={agencies.error} onRetry={() => void agencies.refetch()} />
        )}
        <ul className="max-h-80 overflow-y-auto" data-testid="agencies">
          {agencies.data?.map(({ agencyId, name, isCurrent }) => (
            <li key={agencyId}>
              <Button
                look="quiet"
                className="w-full justify-between!"
                pending={choose.isPending && choose.variables === agencyId}
                onPress={() => (isCurrent ? onClose() : choose.mutate(agencyId))}
                {...(isCurrent && { 'aria-current': true })}
              >
                <span dir="auto" className="truncate">
                  {name}
                </span>
                {isCurrent && <Check aria-hidden className="text-accent-ink" />}
              </Button>
            </li>
          ))}
        </ul>
        <div className="mt-1 border-t border-line pt-1">
          <LinkButton to="/settings/team" look="quiet" className="w-full justify-start!" onClick={onClose}>
            <Users aria-hidden />
            {words.team}
          </LinkButton>
        </div>
      </Dialog>
    </Popover>
  )
}
