import { createFileRoute } from '@tanstack/react-router'
import { ConfirmEmail } from '../../features/account/ConfirmEmail.tsx'

export const Route = createFileRoute('/confirm-email')({ component: ConfirmEmail })
