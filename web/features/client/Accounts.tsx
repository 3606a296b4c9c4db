import { useQuery } from '@tanstack/react-query'
import { Plug, Plus } from 'lucide-react'
import { useState } from 'react'
import { accountsQuery } from '../../lib/queries.ts'
import { platformList, platformLook } from '../../lib/platforms.ts'
import { accountsWatched } from '../../lib/watched.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ForRole } from '../../ui/ForRole.tsx'
import { AnchorButton } from '../../ui/LinkButton.tsx'
import { PlatformIcon } from '../../ui/PlatformIcon.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { RefreshButton } from '../../ui/RefreshButton.tsx'
import { SkeletonCards } from '../../ui/Skeleton.tsx'
import { AccountCard } from './AccountCard.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { accountWords as words } from './account-words.ts'

const AddAccount = lazyDialog(() => import('./AddAccount.tsx'))

export function Accounts({ clientId }: { readonly clientId: string }) {
  const accounts = useQuery(accountsQuery(clientId))
  const [adding, setAdding] = useState(false)
  return (
    <section aria-label={words.accounts}>
      <div className="mb-4 flex flex-wrap items-center justify-end gap-2">
        <RefreshButton busy={accounts.isFetching} onRefresh={accounts.refetch} watched={accountsWatched(clientId)} />
        <ForRole least="manager">
          <Button look="primary" onPress={() => setAdding(true)} data-testid="button-add-account" data-shortcut="n">
            <Plus aria-hidden />
            {words.add}
          </Button>
        </ForRole>
      </div>
      {accounts.isPending && (
        <SkeletonCards count={2} label={words.loading} className="flex flex-col gap-3" item="h-20" />
      )}
      {accounts.isError && (
        <LoadError what={words.theAccounts} error={accounts.error} onRetry={() => void accounts.refetch()} />
      )}
      {accounts.isSuccess &&
        (accounts.data.length === 0 ? (
          <EmptyState icon={<Plug />} title={words.none} text={words.noneText} />
        ) : (
          <ul className="flex flex-col gap-3">
            {accounts.data.map((account) => (
              <AccountCard key={account.id} account={account} />
            ))}
          </ul>
        ))}
      <ForRole least="manager">
        <ConnectNew clientId={clientId} />
      </ForRole>
      {adding && <AddAccount clientId={clientId} onClose={() => setAdding(false)} />}
    </section>
  )
}

/** Straight to the network: the account is added with the profile's name when the user comes back. */
function ConnectNew({ clientId }: { readonly clientId: string }) {
  return (
    <div className="mt-6 flex flex-col gap-3" data-testid="connect-new">
      <h2 className="font-semibold">{words.connectAn}</h2>
      <ul className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        {platformList.map((platform) => (
          <li key={platform}>
            <AnchorButton
              href={`/api/clients/${encodeURIComponent(clientId)}/connect/${platform}`}
              className="w-full"
              aria-label={words.connectOn(platformLook[platform].title)}
            >
              <PlatformIcon platform={platform} />
              {platformLook[platform].title}
            </AnchorButton>
          </li>
        ))}
      </ul>
    </div>
  )
}
