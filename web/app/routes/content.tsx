import { createFileRoute } from '@tanstack/react-router'
import { ContentLibrary } from '../../features/content/ContentLibrary.tsx'
import { contentTabs, type ContentSearch } from '../../features/content/search.ts'
import { platformList } from '../../lib/platforms.ts'
import { oneOf, text } from '../../lib/search.ts'

export const Route = createFileRoute('/content')({
  validateSearch: (search): ContentSearch => ({
    client: text(search, 'client'),
    tab: oneOf(search, 'tab', contentTabs),
    platform: oneOf(search, 'platform', platformList),
    q: text(search, 'q'),
  }),
  component: Screen,
})

function Screen() {
  return <ContentLibrary search={Route.useSearch()} />
}
