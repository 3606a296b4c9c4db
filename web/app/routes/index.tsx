import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { lazy } from 'react'
import { userQuery } from '../../lib/queries.ts'

// Each its own chunk: a visitor loads no dashboard, an agency no landing page.
const Landing = lazy(() => import('../../features/landing/Landing.tsx'))
const Dashboard = lazy(() => import('../../features/dashboard/Dashboard.tsx'))

export const Route = createFileRoute('/')({ component: Index })

function Index() {
  const user = useQuery(userQuery)
  return user.data ? <Dashboard /> : <Landing />
}
