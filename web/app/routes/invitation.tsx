import { createFileRoute } from '@tanstack/react-router'
import { Invitation } from '../../features/account/Invitation.tsx'

export const Route = createFileRoute('/invitation')({ component: Invitation })
