/** The words of an own comment, to be changed. */
import { useState } from 'react'
import type { PostComment } from '../../../api/contract/index.ts'
import { hasVisible } from '../../../api/contract/limits.ts'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { onActError } from '../../lib/query-client.ts'
import { Button } from '../Button.tsx'
import { ServerError } from '../ServerError.tsx'
import { CommentText, isTooLong } from './CommentText.tsx'
import { mentionedIn, type Mentionable } from './mentions.ts'
import { showComment } from './queries.ts'
import { words } from './words.ts'

interface Props {
  readonly postId: string
  readonly comment: PostComment
  readonly people: readonly Mentionable[]
  readonly onDone: () => void
}

export function EditComment({ postId, comment, people, onDone }: Props) {
  const [text, setText] = useState(comment.text ?? '')
  const [error, setError] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const isReady = hasVisible(text) && !isTooLong(text) && !isSending
  const save = async () => {
    setSending(true)
    setError(null)
    try {
      const params = { id: postId, commentId: comment.id }
      const body = { text, mentions: mentionedIn(text, people).slice(0, 10) }
      showComment(postId, await call('PATCH /api/posts/{id}/comments/{commentId}', { params, body }))
      onDone()
    } catch (failure) {
      onActError(failure)
      setError(errorText(failure))
      setSending(false)
    }
  }
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) void save()
      }}
    >
      <CommentText label={words.edit} value={text} onChange={setText} people={people} focusFirst />
      {error !== null && <ServerError message={error} />}
      <div className="flex justify-end gap-2">
        <Button size="sm" onPress={onDone}>
          {words.cancel}
        </Button>
        <Button type="submit" size="sm" isDisabled={!isReady} pending={isSending} data-testid="button-save-comment">
          {words.save}
        </Button>
      </div>
    </form>
  )
}
