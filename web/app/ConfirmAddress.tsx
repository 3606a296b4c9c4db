/** The bar that asks for the confirmation of the user's email address. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { userQuery } from '../lib/access-queries.ts'
import { call } from '../lib/call.ts'
import { errorText } from '../lib/error-text.ts'
import { Button } from '../ui/Button.tsx'
import { toast } from '../ui/toast.ts'
import { words } from './words.ts'

/** Comes back with the next visit. */
const store = 'address-put-away'

export function ConfirmAddress() {
  const { data: user } = useQuery(userQuery)
  const [isAway, setAway] = useState(() => sessionStorage.getItem(store) !== null)
  const ask = useMutation({
    mutationFn: () => call('POST /api/auth/address'),
    onError: (error) => toast({ title: words.address.failed, description: errorText(error), variant: 'destructive' }),
  })
  if (!user || user.emailConfirmed || isAway) return null
  const putAway = () => {
    sessionStorage.setItem(store, 'yes')
    setAway(true)
  }
  return (
    <section
      aria-label={words.address.label}
      data-testid="confirm-address"
      className="flex items-center gap-x-2 gap-y-1 border-b border-line bg-accent-soft px-4 py-1.5 text-accent-ink max-sm:items-start sm:min-h-10"
    >
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <output className="min-w-0 wrap-anywhere">
          {ask.isSuccess ? words.address.sent(user.email) : words.address.open(user.email)}
        </output>
        {!ask.isSuccess && (
          <Button
            look="link"
            size="inline"
            className="py-1 font-semibold text-current! underline"
            pending={ask.isPending}
            onPress={() => ask.mutate()}
          >
            {ask.isPending ? words.address.sending : words.address.send}
          </Button>
        )}
      </div>
      <Button look="quiet" size="icon" className="-mr-2 text-current!" aria-label={words.dismiss} onPress={putAway}>
        <X aria-hidden />
      </Button>
    </section>
  )
}
