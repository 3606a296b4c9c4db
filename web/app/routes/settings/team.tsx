import { createFileRoute } from '@tanstack/react-router'
import { Team } from '../../../features/team/Team.tsx'

export const Route = createFileRoute('/settings/team')({ component: Team })
