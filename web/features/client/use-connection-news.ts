import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { toast } from '../../ui/toast.ts'
import type { ClientSearch } from './search.ts'

/** Says once how the visit to a network ended, then clears it from the address. */
export function useConnectionNews(id: string, { connected, connectError }: ClientSearch): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (connected === undefined && connectError === undefined) return
    if (connectError !== undefined) toast({ title: 'Could not connect', description: connectError, variant: 'destructive' })
    else toast({ title: 'Account connected', description: `${connected} is ready to publish.` })
    void navigate({ to: '/clients/$id', params: { id }, search: { tab: 'accounts' }, replace: true })
  }, [connected, connectError, id, navigate])
}
