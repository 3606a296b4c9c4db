import '../lib/mailed-token.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { nameFailedImports } from '../lib/lazy-part.tsx'
import { queryClient } from '../lib/query-client.ts'
import { userQuery } from '../lib/queries.ts'
import '../ui/theme.css'
import { router } from './router.ts'

nameFailedImports()

// Asked before the first screen renders: every screen depends on it.
void queryClient.prefetchQuery(userQuery)

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
