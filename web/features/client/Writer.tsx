import { useMutation } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import type { Client, Platform } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { toastFailure } from '../../lib/post-actions.ts'
import { defaultTone, type Written } from '../../lib/write.ts'
import { Button } from '../../ui/Button.tsx'
import { PaidButton } from '../../ui/PaidButton.tsx'
import { TextField } from '../../ui/TextField.tsx'

interface Props {
  readonly client: Client
  /** None until an account is chosen. */
  readonly platform: Platform | undefined
  /** What it is to write about: typed, so the dialog does not lose it unasked. */
  readonly topic: string
  readonly onTopic: (topic: string) => void
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
  readonly onWritten: (text: Written) => void
}

export function Writer({ client, platform, topic, onTopic, open, onOpen, onWritten }: Props) {
  const [tone, setTone] = useState(client.toneOfVoice ?? '')
  const [error, setError] = useState<string>()
  const write = useMutation({
    mutationFn: (on: Platform) =>
      call('POST /api/generate-content', {
        body: { clientId: client.id, platform: on, topic: topic.trim(), tone: tone.trim() || defaultTone },
      }),
    onSuccess: onWritten,
    onError: (cause) => toastFailure('Failed to generate content', cause),
  })
  if (!open) {
    return (
      <PaidButton className="self-start" onPress={() => onOpen(true)} data-testid="button-generate">
        <Sparkles aria-hidden />
        Generate with AI
      </PaidButton>
    )
  }
  const generate = () => {
    if (topic.trim() === '') return setError('Required')
    if (platform) write.mutate(platform)
  }
  return (
    <section aria-label="Generate with AI" className="flex flex-col gap-3 rounded-card border border-line bg-n2 p-4">
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField
          label="Topic"
          value={topic}
          onChange={(value) => {
            onTopic(value)
            setError(undefined)
          }}
          error={error}
          placeholder="Our new opening hours"
          focusFirst
        />
        <TextField label="Tone" value={tone} onChange={setTone} placeholder={defaultTone} />
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <PaidButton size="sm" onPress={generate} pending={write.isPending} isDisabled={platform === undefined}>
          {!write.isPending && <Sparkles aria-hidden />}
          {write.isPending ? 'Writing…' : 'Generate'}
        </PaidButton>
        <Button size="sm" look="quiet" onPress={() => onOpen(false)}>
          Close
        </Button>
        <p className="text-sm text-quiet">
          {platform === undefined ? 'Choose an account first.' : 'It replaces the text above.'}
        </p>
      </div>
    </section>
  )
}
