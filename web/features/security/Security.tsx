/** How the user signs in, and where the user is signed in. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { userQuery } from '../../lib/access-queries.ts'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { factorsQuery } from '../../lib/queries.ts'
import { queryClient } from '../../lib/query-client.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { AppCard } from './AppCard.tsx'
import { CodesCard } from './CodesCard.tsx'
import { PasskeysCard } from './PasskeysCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import { SignOnCard } from './SignOnCard.tsx'
import { words } from './words.ts'

const ShowCodes = lazyDialog(() => import('./ShowCodes.tsx'))

/** Reads the factors again. */
const afterFactorChange = () => queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey })

const column = 'flex max-w-dialog min-w-0 flex-col gap-4 xl:max-w-none'

export function Security() {
  return (
    <>
      <PageHeader title={words.heading} text={words.text} />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <div className={column}>
          <FactorCards />
        </div>
        <div className={column}>
          <SessionsCard />
        </div>
      </div>
    </>
  )
}

function FactorCards() {
  const { data: user } = useQuery(userQuery)
  const factors = useQuery(factorsQuery)
  const ask = useMutation({
    mutationFn: () => call('POST /api/auth/address'),
    onError: (error) => toast({ title: words.error, description: errorText(error), variant: 'destructive' }),
  })
  const [codes, setCodes] = useState<readonly string[]>([])
  const onCodes = (fresh: readonly string[]) => {
    void afterFactorChange()
    setCodes(fresh)
  }
  if (factors.isError)
    return <LoadError what={words.failed} error={factors.error} onRetry={() => void factors.refetch()} />
  if (!factors.data || !user) {
    return (
      <>
        <Skeleton className="h-44" />
        <Skeleton className="h-44" />
        <Skeleton className="h-44" />
      </>
    )
  }
  const shared = { factors: factors.data, isConfirmed: user.emailConfirmed, onCodes }
  return (
    <>
      {!user.emailConfirmed && (
        <Card data-testid="card-unconfirmed">
          <p className="text-quiet">{ask.isSuccess ? words.linkSent(user.email) : words.unconfirmed}</p>
          {!ask.isSuccess && (
            <Button className="mt-4" pending={ask.isPending} onPress={() => ask.mutate()}>
              {words.sendLink}
            </Button>
          )}
        </Card>
      )}
      <PasskeysCard {...shared} />
      <AppCard {...shared} />
      <CodesCard {...shared} />
      <SignOnCard {...shared} />
      {codes.length > 0 && <ShowCodes codes={codes} email={user.email} onClose={() => setCodes([])} />}
    </>
  )
}
