/** The composer with the text, the image and the account of another post. */
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { wholePostQuery } from '../../lib/queries.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import Composer from './Composer.tsx'
import { words } from './words.ts'

interface Props extends Omit<ComponentProps<typeof Composer>, 'copied'> {
  /** The post's id. */
  readonly from: string
}

export default function CopyComposer({ from, ...props }: Props) {
  const post = useQuery(wholePostQuery(from, null))
  if (post.isSuccess) return <Composer {...props} copied={post.data} />
  if (post.isPending) return null
  return (
    <Dialog open onClose={props.onClose} title={words.newPost}>
      <LoadError what={words.copiedPost} error={post.error} onRetry={() => void post.refetch()} />
    </Dialog>
  )
}
