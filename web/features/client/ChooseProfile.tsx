import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { accountsQuery, choicesQuery } from '../../lib/queries.ts'
import { afterAccountChange } from '../../lib/refetch.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { accountWords as words } from './account-words.ts'

interface Props {
  readonly clientId: string
  readonly accountId: string
  readonly choice: string
  readonly onClose: () => void
}

/** Asks which page or organisation an account means when one login covers several. */
export default function ChooseProfile({ clientId, accountId, choice, onClose }: Props) {
  const profiles = useQuery(choicesQuery(accountId, choice))
  const account = useQuery(accountsQuery(clientId)).data?.find(({ id }) => id === accountId)
  const [remoteId, setRemoteId] = useState<string | null>(null)
  const connect = useMutation({
    mutationFn: (chosen: string) =>
      call('POST /api/social-accounts/{id}/choices/{choice}', {
        params: { id: accountId, choice },
        body: { remoteId: chosen },
      }),
    onSuccess: async ({ accountName }) => {
      await afterAccountChange()
      toast(words.connected(accountName))
      onClose()
    },
  })
  const footer = (
    <>
      <Button look="quiet" onPress={onClose}>
        {words.cancel}
      </Button>
      <Button
        look="primary"
        isDisabled={remoteId === null}
        pending={connect.isPending}
        onPress={() => remoteId !== null && connect.mutate(remoteId)}
        data-testid="button-choose-profile"
      >
        {words.connect}
      </Button>
    </>
  )
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.chooseTitle}
      description={words.chooseText(account?.accountName)}
      footer={footer}
    >
      <div className="flex flex-col gap-4">
        {profiles.isPending && <Skeleton className="h-24" />}
        {profiles.isError && <p role="alert">{words.chooseAgain(errorText(profiles.error))}</p>}
        {profiles.isSuccess && (
          <RadioGroup
            aria-label={words.profile}
            value={remoteId}
            onChange={setRemoteId}
            className="flex flex-col gap-2"
          >
            {profiles.data.map((profile) => (
              <Radio
                key={profile.remoteId}
                value={profile.remoteId}
                className="group flex min-h-11 cursor-pointer items-center gap-3 rounded-control border border-line px-4 py-2 selected:border-accent selected:bg-n3 focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent"
              >
                <span
                  aria-hidden
                  className="grid size-4 shrink-0 place-items-center rounded-full border border-n8 group-selected:border-accent"
                >
                  <span className="size-2 rounded-full group-selected:bg-accent" />
                </span>
                <span dir="auto" className="min-w-0 wrap-anywhere">
                  {profile.name}
                </span>
              </Radio>
            ))}
          </RadioGroup>
        )}
        <ServerError message={connect.isError ? errorText(connect.error) : null} />
      </div>
    </Dialog>
  )
}
