import { createFileRoute } from '@tanstack/react-router'
import { ResetPassword } from '../../features/account/ResetPassword.tsx'

export const Route = createFileRoute('/reset-password')({ component: ResetPassword })
