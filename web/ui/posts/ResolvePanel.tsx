import { useState } from 'react'
import type { Post, PostDelivery } from '../../../api/contract/index.ts'
import { formatDateTime, formatSoon } from '../../lib/dates.ts'
import { platformLook } from '../../lib/platforms.ts'
import { resolve, type PostAction } from '../../lib/post-actions.ts'
import { Button } from '../Button.tsx'
import { TextField } from '../TextField.tsx'
import { words } from './delivery-words.ts'

interface Props {
  readonly platform: Post['platform']
  /** Null until it is loaded. */
  readonly evidence: PostDelivery['evidence']
  /** Of the unknown outcome; null until it is loaded. */
  readonly attemptId: string | null
  readonly zone: string
  readonly onAct: (action: PostAction) => void
  readonly running: string | null
}

/** The outcome is unknown: a user who looked on the network decides. The reason stands above. */
export function ResolvePanel({ platform, evidence, attemptId, zone, onAct, running }: Props) {
  const [url, setUrl] = useState('')
  const [error, setError] = useState<string>()
  const sayLive = () => {
    if (/^https?:\/\/\S+\.?\S+/i.test(url.trim())) return onAct(resolve({ live: url.trim(), attemptId }))
    setError(words.notAWebAddress)
  }
  return (
    <fieldset aria-label={words.settle} className="mt-3 flex min-w-0 flex-col gap-3">
      <TextField
        label={words.liveAt}
        type="url"
        placeholder="https://"
        value={url}
        error={error}
        onChange={(value) => {
          setUrl(value)
          setError(undefined)
        }}
      />
      {evidence && <Evidence platform={platform} evidence={evidence} zone={zone} />}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onPress={sayLive} pending={running === 'resolve'}>
          {words.markLive}
        </Button>
        <Button
          size="sm"
          onPress={() => attemptId !== null && onAct(resolve({ live: false, attemptId }))}
          isDisabled={running !== null || attemptId === null}
        >
          {words.markNotLive}
        </Button>
      </div>
    </fieldset>
  )
}

interface Known {
  readonly platform: Post['platform']
  readonly evidence: NonNullable<PostDelivery['evidence']>
  readonly zone: string
}

/** What was looked for and when, and a warning while a missing post proves little. */
function Evidence({ platform, evidence, zone }: Known) {
  const { attemptedAt, sentence, lookedAt, nextLookAt, earlyUntil } = evidence
  const next = nextLookAt === null ? words.noFurtherLook : words.nextLook(formatSoon(nextLookAt, zone))
  return (
    <div data-testid="evidence" className="flex flex-col gap-2 text-sm">
      <p className="tabular wrap-anywhere text-quiet">
        {words.attemptBegan(formatDateTime(attemptedAt, zone), sentence)}
        {lookedAt !== null && words.lastLook(formatDateTime(lookedAt, zone), next)}
      </p>
      {earlyUntil !== null && (
        <p data-testid="early-warning" className="rounded-control bg-pending-soft px-3 py-2 text-pending-ink">
          {words.early(platformLook[platform].title, formatSoon(earlyUntil, zone))}
        </p>
      )}
    </div>
  )
}
