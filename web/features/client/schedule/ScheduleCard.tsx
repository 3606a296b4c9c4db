import { Pause, Pencil, Play, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Schedule, SocialAccount } from '../../../../api/contract/index.ts'
import { platformLook } from '../../../lib/platforms.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { cardStyle } from '../../../ui/Card.tsx'
import { lazyDialog } from '../../../ui/lazy-dialog.tsx'
import { PaidButton } from '../../../ui/PaidButton.tsx'
import { ForRole } from '../../../ui/ForRole.tsx'
import { PlatformIcon } from '../../../ui/PlatformIcon.tsx'
import { Slots } from './Slots.tsx'
import { useScheduleActs } from './use-schedule-acts.ts'
import { rulesSentence, topicsSentence, words } from './words.ts'

const DeleteSchedule = lazyDialog(() => import('./DeleteSchedule.tsx'))

interface Props {
  readonly account: SocialAccount
  readonly schedule: Schedule | null
  readonly zone: string
  readonly onEdit: () => void
}

export function ScheduleCard({ account, schedule, zone, onEdit }: Props) {
  const { platform, accountName } = account
  const needsImage = platform === 'instagram'
  return (
    <li data-testid="schedule-card" data-account-id={account.id} className={`${cardStyle} flex flex-col gap-5 p-5`}>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-n3">
          <PlatformIcon platform={platform} className="size-5" />
        </span>
        <div className="min-w-0 flex-1 basis-56">
          <h2 className="flex flex-wrap items-center gap-2 font-semibold">
            <span dir="auto" className="truncate" title={accountName}>
              {accountName}
            </span>
            {schedule && (
              <Badge tone={schedule.isActive ? 'published' : 'draft'}>
                {schedule.isActive ? words.active : words.paused}
              </Badge>
            )}
          </h2>
          {schedule ? (
            <>
              <p className="tabular mt-0.5">{rulesSentence(schedule)}</p>
              <p className="mt-0.5 line-clamp-2 max-w-text text-sm wrap-anywhere text-quiet">
                {topicsSentence(schedule.contentTopics)}
              </p>
            </>
          ) : (
            <p className="mt-0.5 text-quiet">{words.none(platformLook[platform].title)}</p>
          )}
        </div>
        {schedule ? (
          <ForRole least="manager">
            <Acts schedule={schedule} accountName={accountName} needsImage={needsImage} onEdit={onEdit} />
          </ForRole>
        ) : (
          <ForRole least="manager">
            <PaidButton onPress={onEdit} data-testid="button-add-schedule">
              {words.setUp}
            </PaidButton>
          </ForRole>
        )}
      </div>
      {schedule && <Slots schedule={schedule} zone={zone} needsImage={needsImage} />}
    </li>
  )
}

interface ActsProps {
  readonly schedule: Schedule
  readonly accountName: string
  readonly needsImage: boolean
  readonly onEdit: () => void
}

function Acts({ schedule, accountName, needsImage, onEdit }: ActsProps) {
  const [asking, setAsking] = useState(false)
  const { pause, resume } = useScheduleActs(schedule.id, needsImage)
  const acts = useRef<HTMLDivElement>(null)
  const switched = useRef(schedule.isActive)
  // The one button takes the other's place, and the focus with it.
  useEffect(() => {
    if (switched.current === schedule.isActive) return
    switched.current = schedule.isActive
    if (document.activeElement === document.body) acts.current?.querySelector<HTMLElement>('[data-switch]')?.focus()
  }, [schedule.isActive])
  return (
    <div ref={acts} className="flex flex-wrap gap-2 max-sm:w-full">
      <Button
        look="dangerQuiet"
        className="max-sm:-ml-3.5"
        onPress={() => setAsking(true)}
        data-testid="button-delete-schedule"
      >
        <Trash2 aria-hidden />
        {words.delete}
      </Button>
      {schedule.isActive ? (
        <Button
          onPress={() => pause.mutate()}
          pending={pause.isPending}
          data-testid="button-pause-schedule"
          data-switch
        >
          {!pause.isPending && <Pause aria-hidden />}
          {words.pause}
        </Button>
      ) : (
        <PaidButton
          onPress={() => resume.mutate()}
          pending={resume.isPending}
          data-testid="button-resume-schedule"
          data-switch
        >
          {!resume.isPending && <Play aria-hidden />}
          {words.resume}
        </PaidButton>
      )}
      <PaidButton onPress={onEdit} data-testid="button-edit-schedule">
        <Pencil aria-hidden />
        {words.edit}
      </PaidButton>
      {asking && <DeleteSchedule schedule={schedule} accountName={accountName} onClose={() => setAsking(false)} />}
    </div>
  )
}
