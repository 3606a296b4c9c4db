import { Label } from 'react-aria-components/Label'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import type { Schedule, ScheduleRules, SocialAccount } from '../../../../api/contract/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { hintStyle, labelStyle } from '../../../ui/field.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { radioStyle } from '../../../ui/radio-style.ts'
import { ServerError } from '../../../ui/ServerError.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { Preview } from './Preview.tsx'
import { Times } from './Times.tsx'
import { Topics } from './Topics.tsx'
import { useScheduleForm } from './use-schedule-form.ts'
import { afterSaving, beforeSaving, lackingTimes, rulesSentence, topicsSentence, words } from './words.ts'

interface Props {
  readonly clientId: string
  readonly account: SocialAccount
  readonly schedule: Schedule | null
  readonly zone: string
  readonly onClose: () => void
}

const frequencies: readonly ScheduleRules['frequency'][] = ['daily', 'weekly', 'custom']

export default function ScheduleDialog({ clientId, account, schedule, zone, onClose }: Props) {
  const outlook = { isActive: schedule?.isActive ?? true, needsImage: account.platform === 'instagram' }
  const form = useScheduleForm({ clientId, accountId: account.id, schedule, saved: afterSaving(outlook), onClose })
  const { draft, change, errors } = form
  const lacking = form.rules && lackingTimes(form.rules)
  return (
    <FormDialog
      onClose={onClose}
      unsaved={form.unsaved}
      width="wide"
      title={schedule ? words.editTitle : words.setUpTitle}
      description={beforeSaving(account.accountName, schedule?.untouchedPosts ?? 0, outlook)}
      footer={
        <>
          <Button slot="close">{words.cancel}</Button>
          <Button look="primary" onPress={form.save} pending={form.saving} data-testid="button-save-schedule">
            {form.overtaken ? words.saveMine : schedule ? words.saveChanges : words.create}
          </Button>
        </>
      }
    >
      <div className="grid gap-6 md:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <RadioGroup
            value={draft.frequency}
            onChange={(id) => change({ frequency: frequencies.find((each) => each === id) ?? 'weekly' })}
            className="flex flex-col gap-2"
          >
            <Label className={labelStyle}>{words.frequency}</Label>
            {frequencies.map((id) => (
              <Radio key={id} value={id} className={radioStyle}>
                <span>
                  {words.frequencies[id].label}
                  <span className={`${hintStyle} ml-2`}>{words.frequencies[id].hint}</span>
                </span>
              </Radio>
            ))}
          </RadioGroup>
          {draft.frequency === 'weekly' && (
            <TextField
              label={words.postsPerWeek}
              type="number"
              min="1"
              max="50"
              value={draft.postsPerWeek}
              onChange={(postsPerWeek) => change({ postsPerWeek })}
              error={errors.postsPerWeek}
              className="max-w-60"
            />
          )}
          {lacking !== null && <output className={`${hintStyle} -mt-3`}>{lacking}</output>}
          <Times
            times={draft.times}
            withDays={draft.frequency !== 'daily'}
            onChange={(times) => change({ times })}
            error={errors.times}
          />
          <Topics topics={draft.topics} onChange={(topics) => change({ topics })} error={errors.topics} />
          <ServerError message={form.refusal} />
          {form.overtaken && schedule && (
            <section aria-label={words.current} className="rounded-control bg-n3 px-3 py-2">
              <p className="text-sm text-quiet">{words.currentText}</p>
              <p className="tabular mt-1">{rulesSentence(schedule)}</p>
              <p className="text-sm text-quiet">{topicsSentence(schedule.contentTopics)}</p>
            </section>
          )}
        </div>
        <Preview clientId={clientId} accountId={account.id} rules={form.rules} zone={zone} />
      </div>
    </FormDialog>
  )
}
