import { createFileRoute } from '@tanstack/react-router'

/** A post's own address. The list's screen shows the post. */
export const Route = createFileRoute('/content/$post')()
