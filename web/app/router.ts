import { createRouter } from '@tanstack/react-router'
import { routeTree } from './routeTree.gen.ts'
import { ScreenError } from './ScreenError.tsx'

export const newRouter = () =>
  createRouter({
    routeTree,
    defaultPreload: 'intent',
    defaultErrorComponent: ScreenError,
    scrollRestoration: true,
  })

export const router = newRouter()

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
