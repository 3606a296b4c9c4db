/** Asks before a post goes out: what is published cannot be taken back from here. */
import type { Post } from '../../../api/contract/index.ts'
import { platformLook } from '../../lib/platforms.ts'
import { Button } from '../Button.tsx'
import { Dialog } from '../Dialog.tsx'
import { words } from './words.ts'

interface Props {
  readonly post: Pick<Post, 'platform'>
  /** Its name. */
  readonly account: string
  readonly onConfirm: () => void
  readonly onClose: () => void
}

export function PublishNow({ post, account, onConfirm, onClose }: Props) {
  return (
    <Dialog
      open
      alert
      width="small"
      onClose={onClose}
      title={words.publishNowTitle}
      description={words.publishNowText(account, platformLook[post.platform].title)}
      footer={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button look="primary" onPress={onConfirm} data-testid="button-confirm-publish-now">
            {words.publishNow}
          </Button>
        </>
      }
    />
  )
}
