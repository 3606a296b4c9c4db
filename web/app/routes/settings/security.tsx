import { createFileRoute } from '@tanstack/react-router'
import { Security } from '../../../features/security/Security.tsx'

export const Route = createFileRoute('/settings/security')({ component: Security })
