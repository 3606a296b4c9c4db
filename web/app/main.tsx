import '../lib/mailed-token.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { nameFailedImports } from '../lib/lazy-part.tsx'
import { queryClient } from '../lib/query-client.ts'
import { userQuery } from '../lib/access-queries.ts'
import '../ui/theme.css'
import { loadFirstScreen } from './first-screen.ts'
import { router } from './router.ts'

nameFailedImports()

// Asked before the first screen renders: every screen depends on it.
void queryClient.prefetchQuery(userQuery)

const render = (root: HTMLElement) =>
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )

const root = document.getElementById('root')
// Not awaited here: the files of the screens import this one, and would wait for its end.
if (root) void loadFirstScreen().then(() => render(root))
