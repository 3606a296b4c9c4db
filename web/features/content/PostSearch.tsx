/** What the posts of a tab are limited to: words, and a network. */
import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Platform } from '../../../api/contract/index.ts'
import { platformList, platformLook } from '../../lib/platforms.ts'
import { controlStyle } from '../../ui/field.ts'
import { PlatformIcon } from '../../ui/PlatformIcon.tsx'
import { Select } from '../../ui/Select.tsx'

export interface PostLimits {
  readonly q?: string | undefined
  readonly platform?: Platform | undefined
}

interface Props {
  readonly limits: PostLimits
  readonly onChange: (limits: PostLimits) => void
}

/** The search is sent after a pause in typing, not for each letter. */
const typingMs = 300
const maxCharacters = 200
/** The server searches for letters and digits. */
const wordsIn = (text: string) => (/[\p{L}\p{N}]/u.test(text) ? text.trim() : undefined)
const all = 'all'

export function PostSearch({ limits, onChange }: Props) {
  const [text, setText] = useState(limits.q ?? '')
  const send = useEffectEvent((q: string | undefined) => onChange({ ...limits, q }))
  const { q: sent } = limits
  useEffect(() => {
    const q = wordsIn(text)
    if (q === sent) return
    const timer = setTimeout(() => send(q), typingMs)
    return () => clearTimeout(timer)
  }, [text, sent])
  return (
    <search className="mb-4 flex flex-wrap items-start gap-2">
      <form
        className="relative min-w-40 flex-1"
        onSubmit={(event) => {
          event.preventDefault()
          onChange({ ...limits, q: wordsIn(text) })
        }}
      >
        <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-quiet" />
        <input
          type="search"
          aria-label="Search posts"
          placeholder="Search posts"
          maxLength={maxCharacters}
          value={text}
          onChange={({ target }) => setText(target.value)}
          className={`${controlStyle()} pl-9`}
          data-testid="input-search-posts"
        />
      </form>
      <Select
        label="Network"
        labelHidden
        testId="select-platform"
        options={[
          { id: all, label: 'All networks' },
          ...platformList.map((id) => ({
            id,
            label: platformLook[id].name,
            icon: <PlatformIcon platform={id} />,
          })),
        ]}
        value={limits.platform ?? all}
        onChange={(id) => onChange({ ...limits, platform: platformList.find((each) => each === id) })}
        className="w-44 max-sm:w-full"
      />
    </search>
  )
}
