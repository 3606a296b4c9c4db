import { createFileRoute } from '@tanstack/react-router'
import { Billing } from '../../features/billing/Billing.tsx'

export const Route = createFileRoute('/billing')({ component: Billing })
