import { createFileRoute } from '@tanstack/react-router'
import { ContentLibrary } from '../../features/content/ContentLibrary.tsx'
import { contentTabs, type ContentSearch } from '../../features/content/search.ts'
import { oneOf, text } from '../../lib/search.ts'

export const Route = createFileRoute('/content')({
  validateSearch: (search): ContentSearch => ({
    client: text(search, 'client'),
    tab: oneOf(search, 'tab', contentTabs),
  }),
  component: Screen,
})

function Screen() {
  return <ContentLibrary search={Route.useSearch()} />
}
