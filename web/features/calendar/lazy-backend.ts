/**
 * Lets posts be dragged once the screen shows: the library's part for mouse or touch is loaded behind the first paint,
 * and what was connected until then is handed to it.
 */
import type { Backend, BackendFactory } from 'dnd-core'

const afterPaintMs = 200

interface Connection {
  disconnect: () => void
}

export const lazyBackend =
  (load: () => Promise<BackendFactory>): BackendFactory =>
  (manager, context, options) => {
    let real: Backend | null = null
    let isSetUp = false
    const waiting = new Set<(backend: Backend) => void>()
    const begin = async () => {
      const backend = (await load())(manager, context, options)
      real = backend
      if (isSetUp) backend.setup()
      for (const connect of waiting) connect(backend)
      waiting.clear()
    }
    // Without it, "Move to date…" moves a post.
    setTimeout(() => void begin().catch(() => undefined), afterPaintMs)
    const connected = (connect: (backend: Backend) => () => void) => {
      if (real) return connect(real)
      const connection: Connection = { disconnect: () => void waiting.delete(later) }
      const later = (backend: Backend) => {
        connection.disconnect = connect(backend)
      }
      waiting.add(later)
      return () => connection.disconnect()
    }
    return {
      setup: () => {
        isSetUp = true
        real?.setup()
      },
      teardown: () => {
        isSetUp = false
        real?.teardown()
      },
      connectDragSource: (id, node, given) =>
        connected((backend) => {
          const disconnect = backend.connectDragSource(id, node, given)
          // Only the part for a mouse marks what it makes draggable.
          if (!(node instanceof Element)) return disconnect
          node.setAttribute('data-can-be-dragged', '')
          return () => {
            node.removeAttribute('data-can-be-dragged')
            disconnect()
          }
        }),
      connectDragPreview: (...args) => connected((backend) => backend.connectDragPreview(...args)),
      connectDropTarget: (...args) => connected((backend) => backend.connectDropTarget(...args)),
      profile: () => real?.profile() ?? {},
    }
  }
