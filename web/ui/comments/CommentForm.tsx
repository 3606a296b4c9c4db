/** A new comment, or a reply: its words, for whom it is, what it is about, and a text that it suggests. */
import { X } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type { PostComment, PostComments } from '../../../api/contract/index.ts'
import { hasVisible } from '../../../api/contract/limits.ts'
import { call } from '../../lib/call.ts'
import { errorText, statusOf } from '../../lib/error-text.ts'
import { onActError } from '../../lib/query-client.ts'
import { useContentId } from '../../lib/use-content-id.ts'
import { Button } from '../Button.tsx'
import { ServerError } from '../ServerError.tsx'
import { TextField } from '../TextField.tsx'
import { AudienceBadge, AudienceChoice, audienceStyle, type Audience } from './AudienceChoice.tsx'
import { ChoosePlace } from './ChoosePlace.tsx'
import { CommentText, isTooLong } from './CommentText.tsx'
import { mentionedIn, type Mentionable } from './mentions.ts'
import { quoteOf, type Place } from './place.ts'
import { readAgain, showComment } from './queries.ts'
import { words } from './words.ts'

interface Props {
  readonly postId: string
  readonly of: PostComments
  readonly people: readonly Mentionable[]
  /** The comment that it replies to. */
  readonly parent?: PostComment
  readonly onDone?: () => void
}

/** What was written last and is not sent: closing the post loses no words. */
let kept = { about: '', text: '' }

export function CommentForm({ postId, of, people, parent, onDone }: Props) {
  const about = `${postId} ${parent?.id ?? ''}`
  const [text, setText] = useState(() => (kept.about === about ? kept.text : ''))
  const [audience, setAudience] = useState<Audience>(parent?.audience ?? 'team')
  const [place, setPlace] = useState<Place | null>(null)
  const [isChoosing, setChoosing] = useState(false)
  const [suggestion, setSuggestion] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const commentId = useContentId()
  const write = (written: string) => {
    setText(written)
    kept = { about, text: written }
  }
  const isReady = hasVisible(text) && !isTooLong(text) && !isSending
  const send = async () => {
    setSending(true)
    setError(null)
    try {
      const suggested = suggestion === null || suggestion === of.content ? null : suggestion
      const content = {
        text,
        audience,
        parentId: parent?.id ?? null,
        anchor: place,
        suggestion: suggested === null ? null : { text: suggested, contentHash: of.textHash },
        mentions: mentionedIn(text, people).slice(0, 10),
      }
      const comment = await call('POST /api/posts/{id}/comments', {
        params: { id: postId },
        body: { commentId: commentId.of(content), ...content },
      })
      showComment(postId, comment)
      write('')
      setPlace(null)
      setSuggestion(null)
      setChoosing(false)
      commentId.renew()
      onDone?.()
    } catch (failure) {
      onActError(failure)
      setError(errorText(failure))
      // The text or the image may have changed: what can be chosen is read anew.
      if (statusOf(failure) === 409) {
        setPlace(null)
        void readAgain(postId)
      }
    } finally {
      setSending(false)
    }
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) void send()
  }
  return (
    <form
      onSubmit={onSubmit}
      className={`flex min-w-0 flex-col gap-3 rounded-control border border-l-4 border-line p-3 ${audienceStyle(audience)}`}
      data-testid={parent ? 'reply-form' : 'comment-form'}
    >
      <CommentText
        label={parent ? words.writeReply : words.write}
        value={text}
        onChange={write}
        people={people}
        focusFirst={parent !== undefined}
      />
      {parent ? (
        <div>
          <AudienceBadge audience={audience} />
        </div>
      ) : (
        <>
          <AudienceChoice value={audience} onChange={setAudience} />
          {place && (
            <p className="flex min-w-0 items-center gap-1 text-sm" data-testid="comment-place">
              <span dir="auto" className="min-w-0 wrap-anywhere">
                {place.kind === 'range' ? words.aboutText(quoteOf(of.content, place)) : words.aboutPoint}
              </span>
              <Button look="quiet" size="icon" aria-label={words.clearPlace} onPress={() => setPlace(null)}>
                <X aria-hidden />
              </Button>
            </p>
          )}
          {isChoosing && <ChoosePlace of={of} place={place} onChoose={setPlace} />}
          {suggestion !== null && (
            <TextField label={words.suggested} value={suggestion} onChange={setSuggestion} rows={5} />
          )}
          <div className="-ml-2 flex flex-wrap gap-1">
            <Button
              look="quiet"
              size="sm"
              aria-expanded={isChoosing}
              onPress={() => setChoosing(!isChoosing)}
              data-testid="button-choose-place"
            >
              {isChoosing ? words.hidePlaces : words.choosePlace}
            </Button>
            <Button
              look="quiet"
              size="sm"
              onPress={() => setSuggestion(suggestion === null ? of.content : null)}
              data-testid="button-suggest"
            >
              {suggestion === null ? words.suggest : words.noSuggestion}
            </Button>
          </div>
        </>
      )}
      {error !== null && <ServerError message={error} />}
      <div className="flex justify-end gap-2">
        {onDone && (
          <Button size="sm" onPress={onDone}>
            {words.cancel}
          </Button>
        )}
        <Button type="submit" size="sm" isDisabled={!isReady} pending={isSending} data-testid="button-send-comment">
          {parent ? words.sendReply : words.send}
        </Button>
      </div>
    </form>
  )
}
