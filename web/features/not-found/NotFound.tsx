import { CircleAlert } from 'lucide-react'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Card } from '../../ui/Card.tsx'
import { useTitle } from '../../ui/PageHeader.tsx'
import { words } from './words.ts'

export function NotFound() {
  useTitle(words.title)
  return (
    <div className="mx-auto grid max-w-dialog py-16">
      <Card className="flex flex-col items-start gap-4">
        <div className="flex items-center gap-3">
          <CircleAlert aria-hidden className="size-6 text-rejected-ink" />
          <h1 className="text-xl font-semibold">{words.title}</h1>
        </div>
        <p className="text-quiet">{words.text}</p>
        <LinkButton to="/">{words.goToDashboard}</LinkButton>
      </Card>
    </div>
  )
}
