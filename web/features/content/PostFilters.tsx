/** What the posts of a tab are limited to, and their order. */
import { ListFilter, Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import type { PostOrigin } from '../../../api/contract/index.ts'
import { platformList, platformLook } from '../../lib/platforms.ts'
import { Button } from '../../ui/Button.tsx'
import { controlStyle } from '../../ui/field.ts'
import { PlatformIcon } from '../../ui/PlatformIcon.tsx'
import { statusLabel } from '../../ui/posts/status.ts'
import { Select } from '../../ui/Select.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { statusIn, waitsIn, type Tab } from './filter.ts'
import { origins, sortOrders, states, type PostLimits, type SortOrder } from './search.ts'
import { words } from './words.ts'

interface Props {
  readonly tab: Tab
  readonly limits: PostLimits
  readonly onChange: (limits: PostLimits) => void
}

/** The search is sent after a pause in typing, not for each letter. */
const typingMs = 300
const maxCharacters = 200
/** The server searches for letters and digits. */
const wordsIn = (text: string) => (/[\p{L}\p{N}]/u.test(text) ? text.trim() : undefined)
const all = 'all'

const orderNames: Readonly<Record<SortOrder, string>> = words.filters.orders
const originNames: Readonly<Record<PostOrigin, string>> = words.filters.sources

export function PostFilters({ tab, limits, onChange }: Props) {
  const [text, setText] = useState(limits.q ?? '')
  const send = useEffectEvent((q: string | undefined) => onChange({ ...limits, q }))
  const { q: sent, sort = tab.order } = limits
  const further = [
    limits.origin,
    limits.assigned,
    limits.from,
    limits.to,
    statusIn(tab, limits),
    waitsIn(tab, limits),
  ].filter((limit) => limit !== undefined).length
  const [isOpen, setOpen] = useState(further > 0)
  useEffect(() => {
    const q = wordsIn(text)
    if (q === sent) return
    const timer = setTimeout(() => send(q), typingMs)
    return () => clearTimeout(timer)
  }, [text, sent])
  return (
    <search className="mb-2 flex flex-col gap-2">
      <div className="flex flex-wrap items-start gap-2">
        <form
          className="relative min-w-40 flex-1 max-sm:basis-full"
          onSubmit={(event) => {
            event.preventDefault()
            onChange({ ...limits, q: wordsIn(text) })
          }}
        >
          <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-quiet" />
          <input
            type="search"
            aria-label={words.filters.search}
            placeholder={words.filters.search}
            maxLength={maxCharacters}
            value={text}
            onChange={({ target }) => setText(target.value)}
            className={`${controlStyle()} pl-9`}
            data-testid="input-search-posts"
          />
        </form>
        <Select
          label={words.filters.network}
          labelHidden
          testId="select-platform"
          options={[
            { id: all, label: words.filters.allNetworks },
            ...platformList.map((id) => ({
              id,
              label: platformLook[id].title,
              icon: <PlatformIcon platform={id} />,
            })),
          ]}
          value={limits.platform ?? all}
          onChange={(id) => onChange({ ...limits, platform: platformList.find((each) => each === id) })}
          className="w-40 max-sm:w-auto max-sm:flex-1"
        />
        <Select
          label={words.filters.order}
          labelHidden
          testId="select-sort"
          options={sortOrders.map((id) => ({ id, label: orderNames[id] }))}
          value={sort}
          onChange={(id) => {
            const order = sortOrders.find((each) => each === id)
            onChange({ ...limits, sort: order === tab.order ? undefined : order })
          }}
          className="w-42 max-sm:w-auto max-sm:flex-1"
        />
        <Button
          aria-expanded={isOpen}
          onPress={() => setOpen(!isOpen)}
          data-testid="button-filters"
          className={further > 0 ? 'border-accent!' : ''}
        >
          <ListFilter aria-hidden />
          {words.filters.button(further)}
        </Button>
      </div>
      {isOpen && <Further tab={tab} limits={limits} onChange={onChange} isSet={further > 0} />}
    </search>
  )
}

interface FurtherProps extends Props {
  readonly isSet: boolean
}

function Further({ tab, limits, onChange, isSet }: FurtherProps) {
  const { sort = tab.order } = limits
  const choice = tab.shows ?? states
  const isPlanned = sort === 'planned'
  return (
    <fieldset
      aria-label={words.filters.label}
      className="flex flex-wrap items-end gap-x-3 gap-y-2 rounded-card border border-line bg-surface px-4 py-3"
      data-testid="filters"
    >
      {choice.length > 1 && (
        <Select
          label={words.filters.state}
          testId="select-state"
          options={[
            { id: all, label: words.filters.allStates },
            ...choice.map((id) => ({ id, label: statusLabel[id] })),
          ]}
          value={statusIn(tab, limits) ?? all}
          onChange={(id) => onChange({ ...limits, status: choice.find((each) => each === id) })}
          className="w-40 max-sm:w-full"
        />
      )}
      <Select
        label={words.filters.source}
        testId="select-origin"
        options={[
          { id: all, label: words.filters.allSources },
          ...origins.map((id) => ({ id, label: originNames[id] })),
        ]}
        value={limits.origin ?? all}
        onChange={(id) => onChange({ ...limits, origin: origins.find((each) => each === id) })}
        className="w-44 max-sm:w-full"
      />
      <Select
        label={words.filters.assigned}
        testId="select-assigned"
        options={[
          { id: all, label: words.filters.anyPerson },
          { id: 'me', label: words.filters.mine },
        ]}
        value={limits.assigned ?? all}
        onChange={(id) => onChange({ ...limits, assigned: id === 'me' ? 'me' : undefined })}
        className="w-40 max-sm:w-full"
      />
      {(tab.shows === null || tab.shows.includes('pending')) && (
        <Select
          label={words.filters.waits}
          testId="select-waits"
          options={[
            { id: all, label: words.filters.anyApprover },
            { id: 'me', label: words.filters.mine },
            { id: 'client', label: words.filters.theClient },
            { id: 'nobody', label: words.filters.noApprover },
          ]}
          value={limits.waits ?? all}
          onChange={(id) =>
            onChange({ ...limits, waits: id === 'me' || id === 'client' || id === 'nobody' ? id : undefined })
          }
          className="w-40 max-sm:w-full"
        />
      )}
      <TextField
        label={words.filters.from(isPlanned)}
        type="date"
        value={limits.from ?? ''}
        onChange={(from) => onChange({ ...limits, from: from || undefined })}
        {...(limits.to !== undefined && { max: limits.to })}
        className="w-40 max-sm:w-full"
      />
      <TextField
        label={words.filters.until(isPlanned)}
        type="date"
        value={limits.to ?? ''}
        onChange={(to) => onChange({ ...limits, to: to || undefined })}
        {...(limits.from !== undefined && { min: limits.from })}
        className="w-40 max-sm:w-full"
      />
      {isSet && (
        <Button
          look="quiet"
          onPress={() => onChange({ q: limits.q, platform: limits.platform, sort: limits.sort })}
          data-testid="button-clear-filters"
        >
          {words.filters.clear}
        </Button>
      )}
    </fieldset>
  )
}
