import { createFileRoute, useParams } from '@tanstack/react-router'
import { ContentLibrary } from '../../features/content/ContentLibrary.tsx'
import { contentSearch } from '../../features/content/search.ts'

export const Route = createFileRoute('/content')({ validateSearch: contentSearch, component: Screen })

/** The list stays while one of its posts is open at the post's own address, `content/$post.tsx`. */
function Screen() {
  const { post } = useParams({ strict: false })
  return <ContentLibrary search={Route.useSearch()} postId={post ?? null} />
}
