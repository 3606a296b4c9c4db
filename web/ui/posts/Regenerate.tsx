import { Sparkles, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Client, Rewrite, SocialAccount } from '../../../api/contract/index.ts'
import { toastFailure } from '../../lib/post-actions.ts'
import { useWriting } from '../../lib/use-writing.ts'
import { anotherFor, notRegenerated, versionOf, type Wish } from '../../lib/write.ts'
import { isDone, type Written } from '../../lib/writing-events.ts'
import { Button } from '../Button.tsx'
import { PaidButton } from '../PaidButton.tsx'
import { toast } from '../toast.ts'
import { useInSight } from '../use-in-sight.ts'
import { BuiltInWriterNote } from './BuiltInWriterNote.tsx'
import { RewriteButtons } from './RewriteButtons.tsx'
import { Suggestions } from './Suggestions.tsx'
import { WritingProgress } from './WritingProgress.tsx'
import { writerWords as words } from './writer-words.ts'

interface Props {
  readonly client: Client | undefined
  readonly account: SocialAccount | undefined
  readonly now: Text
  readonly onChange: (next: Text) => void
}

interface Text {
  readonly content: string
  /** The source of the text; null for a text that was there or typed. */
  readonly written: Written | null
}

/**
 * Another text for a post. It takes the old one's place once it is whole, and gives back what a person last wrote when
 * asked. Whoever goes on typing meanwhile keeps what they type: then it is only offered.
 */
export function Regenerate({ client, account, now, onChange }: Props) {
  const [before, setBefore] = useState<Text | null>(null)
  const [pressed, setPressed] = useState<Rewrite | null>(null)
  // The user may go on typing while the text is generated.
  const newest = useRef(now)
  useEffect(() => {
    newest.current = now
  })
  const writing = useWriting()
  const { suggestions, isWriting } = writing
  const soFar = suggestions[0]?.content ?? ''
  const offered = !isWriting && suggestions.some(isDone)
  const place = useInSight(isWriting ? `writing ${soFar !== ''}` : offered ? 'offered' : '')

  const use = (written: Written) => {
    const { content, written: earlier } = newest.current
    // Several in a row: what comes back is a person's text, not the writer's last one.
    if (content !== earlier?.content) setBefore(newest.current)
    onChange({ content: written.content, written })
    writing.clear()
    toast(words.regenerated)
  }
  const write = async (by: Rewrite | null, wish: () => Wish) => {
    setPressed(by)
    const { content } = newest.current
    try {
      const [done] = await writing.start(wish())
      if (done && newest.current.content === content) use(done.written)
    } catch (error) {
      toastFailure(words.regenerateFailed, notRegenerated(error))
      writing.clear()
    }
  }
  const rewrite = (how: Rewrite) =>
    write(how, () =>
      client && account ? versionOf(client, account.platform, now.content, how) : anotherFor(client, account),
    )
  const undo = () => {
    if (before !== null) onChange(before)
    setBefore(null)
  }
  return (
    <div className="flex flex-col gap-3">
      <BuiltInWriterNote />
      <div className="flex flex-wrap items-center gap-2">
        <PaidButton
          size="sm"
          onPress={() => write(null, () => anotherFor(client, account))}
          pending={isWriting && pressed === null}
          isDisabled={isWriting && pressed !== null}
          data-testid="button-regenerate"
        >
          {!(isWriting && pressed === null) && <Sparkles aria-hidden />}
          {words.regenerate}
        </PaidButton>
        {before !== null && !isWriting && (
          <Button size="sm" look="quiet" onPress={undo} data-testid="button-undo-regenerate">
            <Undo2 aria-hidden />
            {words.restoreText}
          </Button>
        )}
      </div>
      {now.content.trim() !== '' && (
        <RewriteButtons
          label={words.changeThis}
          isDisabled={isWriting}
          running={isWriting ? pressed : null}
          onRewrite={rewrite}
        />
      )}
      {offered && account && (
        <section
          ref={place}
          aria-label={words.newText}
          className="flex flex-col gap-3 rounded-card border border-line bg-n2 p-4"
        >
          <p className="text-sm text-quiet">{words.typedMeanwhile}</p>
          <Suggestions
            suggestions={suggestions}
            platform={account.platform}
            isWriting={false}
            onUse={use}
            onDiscard={writing.clear}
          />
        </section>
      )}
      {isWriting && (
        <section
          ref={place}
          aria-label={words.newText}
          className="flex flex-col gap-3 rounded-card border border-line bg-n2 p-4"
        >
          <WritingProgress begun={soFar !== ''} onCancel={writing.cancel} />
          {soFar !== '' && (
            <p dir="auto" className="prose-post" data-testid="suggestion">
              {soFar}
            </p>
          )}
        </section>
      )}
    </div>
  )
}
