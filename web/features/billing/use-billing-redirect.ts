/** The two ways to the payment provider's pages: to pay for the first time, and to see to what is paid. */
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Agency } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { toast } from '../../ui/toast.ts'
import { words } from './words.ts'

type BillingPage = 'checkout' | 'portal'

const open = (page: BillingPage) =>
  page === 'checkout' ? call('POST /api/billing/checkout') : call('POST /api/billing/portal')

/** Never opens a second subscription: where one exists, its card is changed in the portal. */
export const cardRedirect = (status: Agency['subscriptionStatus']): BillingPage =>
  status === 'active' || status === 'past_due' || status === 'unpaid' ? 'portal' : 'checkout'

export function useBillingRedirect(page: BillingPage) {
  const { mutateAsync, reset, isPending, isSuccess } = useMutation({
    mutationFn: () => open(page),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => toast({ title: words.error, description: errorText(error), variant: 'destructive' }),
  })
  // The browser's back button restores the page as it was left, so the button must work again.
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && reset()
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [reset])
  return { onPress: () => mutateAsync(), pending: isPending || isSuccess }
}
