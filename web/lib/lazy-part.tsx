/** Parts of the program that are imported when they are shown, and imported again after a failure. */
import { lazy, useState, type ComponentType } from 'react'
import { callWords } from './call-words.ts'

const failed = new Set<() => void>()

export type LazyPart<P> = ComponentType<P> & {
  /** Imports it ahead: it then renders at once, without a fallback. Never rejects. */
  readonly preload: () => Promise<void>
}

/** Like React's `lazy`, which never imports again after a failure: this one does once `retryParts` is called. */
export function lazyPart<P extends object>(load: () => Promise<{ readonly default: ComponentType<P> }>): LazyPart<P> {
  let Ready: ComponentType<P> | null = null
  const attempt = () =>
    lazy(() =>
      load().catch((error: unknown) => {
        failed.add(retry)
        throw error
      }),
    )
  let Part = attempt()
  const retry = () => {
    Part = attempt()
  }
  function Loaded(props: P) {
    // What was shown first stays: another component in its place would lose its state.
    const [Shown] = useState(() => Ready ?? Loading)
    return <Shown {...props} />
  }
  function Loading(props: P) {
    return <Part {...props} />
  }
  const preload = async () => {
    const loaded = await load().catch(() => null)
    if (loaded) Ready = loaded.default
  }
  return Object.assign(Loaded, { preload })
}

/** Lets the parts that failed be imported again when they are next rendered. */
export function retryParts(): void {
  for (const retry of failed) retry()
  failed.clear()
}

/**
 * Gives failed imports a message of our own. By the browser's message the router would recognize them and reload the
 * page, which while the server is away leaves the app (`lazyRouteComponent`, @tanstack/react-router 1.x).
 */
export function nameFailedImports(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    payload.message = callWords.failedImport
  })
}
