import { CircleAlert } from 'lucide-react'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Card } from '../../ui/Card.tsx'
import { useTitle } from '../../ui/PageHeader.tsx'

export function NotFound() {
  useTitle('404 Page Not Found')
  return (
    <div className="mx-auto grid max-w-dialog py-16">
      <Card className="flex flex-col items-start gap-4">
        <div className="flex items-center gap-3">
          <CircleAlert aria-hidden className="size-6 text-rejected-ink" />
          <h1 className="text-xl font-semibold">404 Page Not Found</h1>
        </div>
        <p className="text-quiet">Did you forget to add the page to the router?</p>
        <LinkButton to="/">Go to the dashboard</LinkButton>
      </Card>
    </div>
  )
}
