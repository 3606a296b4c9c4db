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
  /** Why it would be refused: the post changed elsewhere since it was read. */
  readonly refusal: string | null
  readonly onConfirm: () => void
  readonly onClose: () => void
}

const refusalId = 'publish-now-refusal'

export function PublishNow({ post, account, refusal, onConfirm, onClose }: Props) {
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
          {/* Always there, so that screen readers announce what comes into it. */}
          <output
            id={refusalId}
            data-testid="publish-now-refusal"
            className={refusal === null ? 'sr-only' : 'basis-full text-right text-sm text-quiet'}
          >
            {refusal}
          </output>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button
            look="primary"
            onPress={onConfirm}
            isDisabled={refusal !== null}
            {...(refusal !== null && { 'aria-describedby': refusalId })}
            data-testid="button-confirm-publish-now"
          >
            {words.publishNow}
          </Button>
        </>
      }
    />
  )
}
