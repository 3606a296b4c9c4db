/** The post as the network of each chosen account shows it, one at a time. */
import { useState } from 'react'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { platformLook } from '../../lib/platforms.ts'
import { PlatformIcon } from '../../ui/PlatformIcon.tsx'
import { NetworkPreview } from '../../ui/posts/NetworkPreview.tsx'
import { textFor } from './composer-draft.ts'
import type { Composing } from './use-composer.ts'
import { words } from './words.ts'

interface Props {
  readonly composer: Composing
}

export function Previews({ composer: { draft, account, others } }: Props) {
  const chosen = account ? [account, ...others] : []
  const [wantedId, setWantedId] = useState<string | null>(null)
  const shown = chosen.find(({ id }) => id === wantedId) ?? chosen[0]
  // Each network shows a post in its own way, so there is no preview before an account is chosen.
  if (!shown)
    return (
      <p
        className="rounded-card border border-dashed border-n6 px-4 py-8 text-center text-quiet"
        data-testid="no-preview"
      >
        {words.noPreview}
      </p>
    )
  const imageUrl = draft.imageUrl.trim()
  return (
    <div className="flex flex-col gap-3">
      {chosen.length > 1 && (
        <RadioGroup
          aria-label={words.preview}
          orientation="horizontal"
          value={shown.id}
          onChange={setWantedId}
          className="flex flex-wrap gap-1"
        >
          {chosen.map(({ id, platform, accountName }) => (
            <Radio
              key={id}
              value={id}
              aria-label={words.previewOf(accountName, platformLook[platform].title)}
              className="grid size-9 place-items-center rounded-control border border-transparent hover:bg-n3 selected:border-control selected:bg-surface selected:shadow-lift"
            >
              <PlatformIcon platform={platform} />
            </Radio>
          ))}
        </RadioGroup>
      )}
      <NetworkPreview
        platform={shown.platform}
        accountName={shown.accountName}
        content={textFor(draft, shown.id)}
        imageUrl={/^https?:\/\/.+/.test(imageUrl) ? imageUrl : null}
      />
    </div>
  )
}
