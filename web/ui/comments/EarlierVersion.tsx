/** Leads to the version of the post that a comment is about. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../Button.tsx'
import { Dialog } from '../Dialog.tsx'
import { LoadError } from '../LoadError.tsx'
import { PinnedImage } from './PinnedImage.tsx'
import type { Place } from './place.ts'
import { commentedVersionQuery } from './queries.ts'
import { words } from './words.ts'

interface Props {
  readonly postId: string
  readonly commentId: string
  readonly anchor: Place
}

export function EarlierVersion(props: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        look="quiet"
        size="sm"
        className="-ml-2 self-start"
        onPress={() => setOpen(true)}
        data-testid="button-earlier-version"
      >
        {words.earlier}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={words.earlierTitle}>
        {isOpen && <Version {...props} />}
      </Dialog>
    </>
  )
}

function Version({ postId, commentId, anchor }: Props) {
  const { data, error, refetch } = useQuery(commentedVersionQuery(postId, commentId))
  if (error) return <LoadError what={words.theVersion} error={error} onRetry={() => void refetch()} />
  if (!data) return <output>{words.loading}</output>
  const { content, imageUrl } = data
  if (anchor.kind === 'point')
    return imageUrl !== null && <PinnedImage src={imageUrl} points={[{ id: commentId, ...anchor }]} />
  return (
    <p dir="auto" className="prose-post" data-testid="earlier-text">
      {content.slice(0, anchor.from)}
      <mark className="bg-pending-soft text-pending-ink">{content.slice(anchor.from, anchor.to)}</mark>
      {content.slice(anchor.to)}
    </p>
  )
}
