import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import { defaultTone, maxVariants, type Client, type Platform, type Rewrite } from '../../../api/contract/index.ts'
import { errorText } from '../../lib/error-text.ts'
import { toastFailure } from '../../lib/post-actions.ts'
import { useWriting } from '../../lib/use-writing.ts'
import { versionOf, type Wish } from '../../lib/write.ts'
import type { Written } from '../../lib/writing-events.ts'
import { Button } from '../../ui/Button.tsx'
import { PaidButton } from '../../ui/PaidButton.tsx'
import { BuiltInWriterNote } from '../../ui/posts/BuiltInWriterNote.tsx'
import { RewriteButtons } from '../../ui/posts/RewriteButtons.tsx'
import { Suggestions } from '../../ui/posts/Suggestions.tsx'
import { WritingProgress } from '../../ui/posts/WritingProgress.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useInSight } from '../../ui/use-in-sight.ts'
import { words } from './words.ts'

export interface PanelProps {
  readonly client: Client
  /** None until an account is chosen. */
  readonly platform: Platform | undefined
  /** The text of the post now. */
  readonly content: string
  /** The topic for the writer: typed by the user, so the dialog asks before it discards it. */
  readonly topic: string
  readonly onTopic: (topic: string) => void
  readonly onWritten: (text: Written) => void
  readonly onClose: () => void
}

export default function WriterPanel({ client, platform, content, topic, onTopic, onWritten, onClose }: PanelProps) {
  const [tone, setTone] = useState(client.toneOfVoice ?? '')
  const [error, setError] = useState<string>()
  const [refusal, setRefusal] = useState<string | null>(null)
  const [pressed, setPressed] = useState<number | Rewrite | null>(null)
  const writing = useWriting()
  const { suggestions, isWriting } = writing

  const start = async (by: number | Rewrite, wish: Wish) => {
    setRefusal(null)
    setPressed(by)
    await writing.start(wish).catch((cause: unknown) => {
      setRefusal(errorText(cause))
      toastFailure(words.generateFailed, cause)
    })
  }
  const generate = async (variants: number) => {
    if (topic.trim() === '') return setError(words.required)
    if (!platform) return
    await start(variants, {
      clientId: client.id,
      platform,
      topic: topic.trim(),
      tone: tone.trim() || defaultTone,
      ...(variants > 1 && { variants }),
    })
  }
  const rewrite = async (how: Rewrite) => {
    if (platform) await start(how, versionOf(client, platform, content, how, tone.trim()))
  }
  const hasBegun = suggestions.some(({ content: output }) => output !== '')
  const place = useInSight(
    isWriting ? `writing ${hasBegun}` : (refusal ?? suggestions.map(({ state }) => state).join()),
  )
  const running = isWriting ? pressed : null
  const act = (by: number) => ({
    onPress: () => generate(by),
    pending: running === by,
    isDisabled: platform === undefined || (isWriting && running !== by),
  })
  return (
    <section
      aria-label={words.generateWithAi}
      className="flex flex-col gap-3 rounded-card border border-line bg-n2 p-4"
    >
      <BuiltInWriterNote />
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label={words.topic}
          value={topic}
          onChange={(value) => {
            onTopic(value)
            setError(undefined)
          }}
          error={error}
          placeholder={words.topicExample}
          focusFirst
        />
        <TextField label={words.tone} value={tone} onChange={setTone} placeholder={defaultTone} />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <PaidButton size="sm" {...act(1)}>
          {running !== 1 && <Sparkles aria-hidden />}
          {words.generate}
        </PaidButton>
        <PaidButton size="sm" look="quiet" {...act(maxVariants)}>
          {words.generateSeveral(maxVariants)}
        </PaidButton>
        <Button size="sm" look="quiet" onPress={onClose}>
          {words.close}
        </Button>
        <p className="text-sm text-quiet">{platform === undefined ? words.accountFirst : words.textStays}</p>
      </div>
      {content.trim() !== '' && (
        <RewriteButtons
          label={words.changeYours}
          isDisabled={platform === undefined || isWriting}
          running={typeof running === 'string' ? running : null}
          onRewrite={rewrite}
        />
      )}
      <div ref={place} className="flex scroll-my-4 flex-col gap-3 empty:hidden">
        {isWriting && <WritingProgress begun={hasBegun} onCancel={writing.cancel} />}
        {platform && (hasBegun || suggestions.some(({ state }) => state !== 'writing')) && (
          <Suggestions
            suggestions={suggestions}
            platform={platform}
            isWriting={isWriting}
            onUse={(text) => {
              writing.clear()
              onWritten(text)
            }}
            onDiscard={writing.clear}
          />
        )}
        <ServerError message={refusal} />
      </div>
    </section>
  )
}
