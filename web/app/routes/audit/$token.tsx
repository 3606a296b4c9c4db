import { createFileRoute } from '@tanstack/react-router'
import { AuditorPage } from '../../../features/audit/AuditorPage.tsx'

export const Route = createFileRoute('/audit/$token')({ component: Screen })

function Screen() {
  const { token } = Route.useParams()
  return <AuditorPage key={token} token={token} />
}
