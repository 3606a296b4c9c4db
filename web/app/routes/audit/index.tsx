import { createFileRoute } from '@tanstack/react-router'
import { OwnAudit } from '../../../features/audit/OwnAudit.tsx'

export const Route = createFileRoute('/audit/')({ component: OwnAudit })
