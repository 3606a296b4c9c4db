/** The cards with which a user adds and removes factors. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { agencyQuery, userQuery } from '../../lib/access-queries.ts'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { factorsQuery } from '../../lib/queries.ts'
import { queryClient } from '../../lib/query-client.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { AppCard } from './AppCard.tsx'
import { CodesCard } from './CodesCard.tsx'
import { PasskeysCard } from './PasskeysCard.tsx'
import { words } from './words.ts'

/** Where this server has single sign-on. */
const SignOnCard = lazyPart(() => import('./SignOnCard.tsx'))
const ShowCodes = lazyDialog(() => import('./ShowCodes.tsx'))

/** Reads the factors again. */
const afterFactorChange = () => queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey })
/** Reads whether the agency still asks for a factor. Its answer may take these cards away. */
const afterLastDialog = () => queryClient.invalidateQueries({ queryKey: agencyQuery.queryKey })

export function FactorCards() {
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
    if (fresh.length === 0) void afterLastDialog()
  }
  const onClose = () => {
    setCodes([])
    void afterLastDialog()
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
      {factors.data.signOn && (
        <Suspense fallback={<Skeleton className="h-44" />}>
          <SignOnCard {...shared} />
        </Suspense>
      )}
      {codes.length > 0 && <ShowCodes codes={codes} email={user.email} onClose={onClose} />}
    </>
  )
}
