/** Which posts a review link shows. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Checkbox } from 'react-aria-components/Checkbox'
import { Label } from 'react-aria-components/Label'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { formatMonth, formatSoon, todayKey } from '../../lib/dates.ts'
import { monthOf, shiftMonth } from '../../lib/month.ts'
import { postsQuery } from '../../lib/queries.ts'
import { checkboxStyle } from '../checkbox-style.ts'
import { errorStyle, hintStyle, labelStyle } from '../field.ts'
import { LoadError } from '../LoadError.tsx'
import { PlatformIcon } from '../PlatformIcon.tsx'
import { radioStyle } from '../radio-style.ts'
import { Select } from '../Select.tsx'
import { Skeleton } from '../Skeleton.tsx'
import type { ReviewDraft } from './draft.ts'
import { words } from './words.ts'

interface Props {
  readonly clientId: string
  readonly draft: ReviewDraft
  readonly onChange: (changes: Partial<ReviewDraft>) => void
  readonly error: string | undefined
  readonly zone: string
}

const scopes = ['pending', 'posts', 'month'] as const
const monthsAhead = 12

export function ScopeChoice({ clientId, draft, onChange, error, zone }: Props) {
  const { scope, month } = draft
  const now = monthOf(todayKey(zone))
  const months = Array.from({ length: monthsAhead }, (_, index) => shiftMonth(now, index))
  return (
    <div className="flex flex-col gap-3">
      <RadioGroup
        value={scope}
        onChange={(next) => onChange({ scope: next as ReviewDraft['scope'] })}
        className="flex flex-col gap-2"
        data-testid="radio-review-scope"
      >
        <Label className={labelStyle}>{words.scope}</Label>
        {scopes.map((each) => (
          <Radio key={each} value={each} className={`${radioStyle} min-h-7`}>
            <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
              <span>{words.scopes[each]}</span>
              <span className="text-sm text-quiet">{words.scopeNotes[each]}</span>
            </span>
          </Radio>
        ))}
      </RadioGroup>
      {scope === 'posts' && (
        <PendingPosts clientId={clientId} draft={draft} onChange={onChange} error={error} zone={zone} />
      )}
      {scope === 'month' && (
        <Select
          label={words.month}
          options={months.map((each) => ({ id: each, label: formatMonth(each) }))}
          value={month}
          onChange={(next) => onChange({ month: next })}
          testId="select-review-month"
        />
      )}
    </div>
  )
}

/** The posts that wait, as far as one page of the list goes; those that were chosen before stay chosen. */
function PendingPosts({ clientId, draft, onChange, error, zone }: Props) {
  const list = useInfiniteQuery(postsQuery(clientId, { statuses: ['pending'], sort: 'planned' }))
  const posts = list.data?.pages.flatMap(({ items }) => items) ?? []
  const { postIds } = draft
  if (list.isPending)
    return (
      <>
        <output className="sr-only">{words.loadingPosts}</output>
        <Skeleton className="h-24" />
      </>
    )
  if (list.isError && posts.length === 0)
    return <LoadError what={words.thePosts} error={list.error} onRetry={() => void list.refetch()} />
  return (
    <div className="flex flex-col gap-2">
      {posts.length === 0 ? (
        <p className={hintStyle}>{words.noPosts}</p>
      ) : (
        <ul className="max-h-56 divide-y divide-line overflow-y-auto rounded-card border border-line">
          {posts.map((post) => (
            <li key={post.id} className="px-3 py-1.5">
              <Checkbox
                isSelected={postIds.includes(post.id)}
                isInvalid={error !== undefined}
                onChange={(isChosen) =>
                  onChange({ postIds: isChosen ? [...postIds, post.id] : postIds.filter((id) => id !== post.id) })
                }
                className={`${checkboxStyle} min-h-9`}
              >
                <PlatformIcon platform={post.platform} className="size-4 shrink-0" />
                <span className="min-w-0 flex-1">
                  <span dir="auto" className="line-clamp-1 wrap-anywhere">
                    {post.excerpt}
                  </span>
                  {post.scheduledFor !== null && (
                    <span className="block text-xs text-quiet">{formatSoon(post.scheduledFor, zone)}</span>
                  )}
                </span>
              </Checkbox>
            </li>
          ))}
        </ul>
      )}
      <p aria-live="polite" className={error === undefined ? hintStyle : errorStyle}>
        {error ?? words.chosen(postIds.length)}
      </p>
    </div>
  )
}
