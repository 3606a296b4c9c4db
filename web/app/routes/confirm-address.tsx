import { createFileRoute } from '@tanstack/react-router'
import { ConfirmAddress } from '../../features/account/ConfirmAddress.tsx'

export const Route = createFileRoute('/confirm-address')({ component: ConfirmAddress })
