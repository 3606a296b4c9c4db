import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PostCard } from '../../../api/contract/index.ts'
import { accountsQuery, attentionQuery, clientsQuery, dashboardQuery } from '../../lib/queries.ts'
import { afterAttentionRefresh } from '../../lib/refetch.ts'
import { useZone } from '../../lib/use-agency.ts'
import { dashboardWatched } from '../../lib/watched.ts'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { RefreshButton } from '../../ui/RefreshButton.tsx'
import { ClientCards } from './ClientCards.tsx'
import { NeedsAttention } from './NeedsAttention.tsx'
import { NextUp } from './NextUp.tsx'
import { StatCards } from './StatCards.tsx'
import { SubscriptionCard } from './SubscriptionCard.tsx'
import { words } from './words.ts'

const PreviewDialog = lazyDialog(() => import('../../ui/posts/PreviewDialog.tsx'))

export default function Dashboard() {
  const clients = useQuery(clientsQuery)
  const figures = useQuery(dashboardQuery)
  const attention = useQuery(attentionQuery)
  const zone = useZone()
  const [opened, setOpened] = useState<PostCard | null>(null)
  const accounts = useQuery(accountsQuery(opened?.clientId ?? ''))
  // A change of the opened post is shown in its dialog as soon as the lists have it.
  const listed = [...(attention.data?.posts ?? []), ...(attention.data?.nextUp ?? [])]
  const post = opened && (listed.find(({ post: { id } }) => id === opened.id)?.post ?? opened)
  return (
    <>
      <PageHeader
        title={words.dashboard}
        text={words.welcome}
        actions={
          <RefreshButton
            busy={clients.isFetching || figures.isFetching || attention.isFetching}
            onRefresh={() =>
              Promise.all([clients.refetch(), figures.refetch(), attention.refetch().then(afterAttentionRefresh)])
            }
            watched={dashboardWatched}
          />
        }
      />
      <div className="flex flex-col gap-4">
        <SubscriptionCard />
        <StatCards figures={figures.data} clientCount={clients.data?.length} />
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <NeedsAttention attention={attention} zone={zone} onOpen={setOpened} />
          <NextUp nextUp={attention.data?.nextUp} zone={zone} onOpen={setOpened} />
        </div>
      </div>
      <ClientCards clients={clients} />
      {post && (
        <PreviewDialog
          card={post}
          account={accounts.data?.find(({ id }) => id === post.socialAccountId)}
          zone={zone}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  )
}
