/** The agency's own head of a page that its clients see: its logo and name on its colour. */
import { useState } from 'react'
import type { ReviewingAgency } from '../../api/contract/index.ts'
import { inkOn } from '../lib/ink.ts'
import { LogoMark } from './Logo.tsx'

interface Props {
  /** Null until it is known whose page it is. */
  readonly agency: ReviewingAgency | null
  /** `div`: shown as a picture of it. */
  readonly tag?: 'header' | 'div'
}

/** Its text is black or white, whichever reads better on the colour; that is so on light and dark pages. */
export function AgencyHead({ agency, tag: Tag = 'header' }: Props) {
  const color = agency?.color ?? null
  return (
    <Tag
      className={color === null ? 'border-b border-line bg-surface' : ''}
      style={color === null ? undefined : { backgroundColor: color, color: inkOn(color) }}
      data-testid="agency-head"
    >
      <div className="mx-auto flex h-16 max-w-dialog items-center gap-3 px-4">
        {agency === null ? (
          <LogoMark className="size-7" />
        ) : (
          <>
            <AgencyLogo key={agency.logoUrl} url={agency.logoUrl} />
            <span dir="auto" className="truncate font-semibold" title={agency.name}>
              {agency.name}
            </span>
          </>
        )}
      </div>
    </Tag>
  )
}

/** On white, which a logo with a clear ground is made for. */
function AgencyLogo({ url }: { readonly url: string | null }) {
  const [isBroken, setBroken] = useState(false)
  if (url === null || isBroken) return null
  return (
    <img
      src={url}
      alt=""
      onError={() => setBroken(true)}
      className="h-10 max-w-32 shrink-0 rounded-control bg-white object-contain p-1"
    />
  )
}
