import type { ReactNode } from 'react'
import type { Platform } from '../../../api/contract/index.ts'
import { formatSoon } from '../../lib/dates.ts'
import { PlatformIcon } from '../../ui/PlatformIcon.tsx'

interface Props {
  readonly icon?: ReactNode
  readonly platform: Platform
  readonly title: string
  /** Why it is listed. */
  readonly state?: string
  readonly about: readonly string[]
  readonly at?: string | null
  readonly zone?: string
  readonly onOpen?: () => void
  readonly act?: ReactNode
}

/** One line: the text, then state, client and time, and the act at the end. */
export function AttentionRow({ icon, platform, title, state, about, at = null, zone = 'UTC', onOpen, act }: Props) {
  const details = [...about, ...(at === null ? [] : [formatSoon(at, zone)])]
  return (
    <li data-testid="attention-row" className="flex flex-wrap items-center gap-x-3 gap-y-2 px-5 py-2.5">
      <div className="flex min-w-0 flex-1 basis-52 items-start gap-2.5">
        <PlatformIcon platform={platform} named className="mt-0.5 size-4" />
        <div className="min-w-0">
          {onOpen ? (
            <button
              type="button"
              dir="auto"
              onClick={onOpen}
              className="block max-w-full truncate text-left font-medium hover:underline"
            >
              {title}
            </button>
          ) : (
            <p dir="auto" className="truncate font-medium">
              {title}
            </p>
          )}
          <p className="mt-0.5 flex flex-wrap items-center gap-x-1.5 text-sm text-quiet">
            {icon}
            {state !== undefined && (
              <span className="font-medium text-ink">
                {state}
                {details.length > 0 && <Dot />}
              </span>
            )}
            {details.map((each, index) => (
              <span key={each} className="wrap-anywhere">
                <bdi>{each}</bdi>
                {index < details.length - 1 && <Dot />}
              </span>
            ))}
          </p>
        </div>
      </div>
      {act}
    </li>
  )
}

/** At the end of a part, so that no line begins with it. */
const Dot = () => <span className="font-normal text-quiet">{' ·'}</span>
