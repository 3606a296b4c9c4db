import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ScheduleRules } from '../../../../api/contract/index.ts'
import { errorText } from '../../../lib/error-text.ts'
import { hintStyle, labelStyle } from '../../../ui/field.ts'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { previewQuery } from './queries.ts'
import { SlotStrip } from './SlotStrip.tsx'
import { rulesSentence, words } from './words.ts'

interface Props {
  readonly clientId: string
  readonly accountId: string
  /** Null while they are not whole: what was shown last stays. */
  readonly rules: ScheduleRules | null
  readonly zone: string
}

const none: ScheduleRules = { frequency: 'daily', postsPerWeek: 1, preferredTimes: [], contentTopics: [] }

export function Preview({ clientId, accountId, rules, zone }: Props) {
  const asked = useSettled(rules)
  const preview = useQuery({
    ...previewQuery(clientId, accountId, asked ?? none),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
  })
  return (
    <section aria-label={words.preview} className="flex min-w-0 flex-col gap-2">
      <h3 className={labelStyle}>{words.nextTimes}</h3>
      {preview.data ? (
        <SlotStrip slots={preview.data} zone={zone} needsImage={false} waits={false} />
      ) : preview.isError ? (
        <p className={hintStyle}>{errorText(preview.error)}</p>
      ) : (
        <Skeleton className="h-65" />
      )}
      {asked && <p className={hintStyle}>{`${rulesSentence(asked)}.`}</p>}
    </section>
  )
}

const settleMs = 250

/** The chosen rules after a pause in changes. Topics change no time. */
function useSettled(rules: ScheduleRules | null): ScheduleRules | null {
  const [settled, setSettled] = useState(rules)
  const text = rules && JSON.stringify({ ...rules, contentTopics: [] })
  useEffect(() => {
    if (text === null) return
    const timer = setTimeout(() => setSettled(JSON.parse(text) as ScheduleRules), settleMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
