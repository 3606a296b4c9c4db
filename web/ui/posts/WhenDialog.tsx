/** Another date and time for a post: what dragging does, for the keyboard, a screen reader and a phone. */
import { useState, type FormEvent } from 'react'
import type { Post } from '../../../api/contract/index.ts'
import { dayKey, fieldValue, formatSoon, nowField, todayKey, zoneLabel } from '../../lib/dates.ts'
import { moveTo, usePostAction } from '../../lib/post-actions.ts'
import { shiftDay } from '../../lib/month.ts'
import { gapSentence, withGap } from '../../lib/spring-gap.ts'
import { instantOfField } from '../../lib/wall-clock.ts'
import { Button } from '../Button.tsx'
import { Dialog } from '../Dialog.tsx'
import { hintStyle } from '../field.ts'
import { TextField } from '../TextField.tsx'
import { words } from './words.ts'

interface Props {
  readonly post: Pick<Post, 'id' | 'scheduledFor' | 'can'>
  /** The price of publishing, where it is known. */
  readonly price: string | undefined
  readonly zone: string
  readonly onClose: () => void
  /** Hears where the post went, and on which day it is now. */
  readonly onMoved?: (sentence: string, day: string) => void
}

export default function WhenDialog({ post, price, zone, onClose, onMoved }: Props) {
  const [value, setValue] = useState(() =>
    post.scheduledFor === null ? tomorrowField(zone) : fieldValue(post.scheduledFor, zone),
  )
  const [error, setError] = useState<string>()
  const { run, running } = usePostAction()
  const now = nowField(zone)
  const moveToField = async () => {
    const instant = await instantOfField(value, zone)
    const gap = gapSentence(value.slice(11, 16), instant, zone)
    const move = moveTo(instant, post)
    const done = { ...move.done, description: withGap(move.done.description, gap) }
    run(post.id, { ...move, done }, () => {
      onMoved?.(withGap(words.movedTo(formatSoon(instant, zone)), gap), dayKey(instant, zone))
      onClose()
    })
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (value === '') return setError(words.required)
    if (value <= now) return setError(words.pastTime)
    void moveToField()
  }
  return (
    <Dialog open onClose={onClose} title={words.moveTitle} width="small">
      <form onSubmit={onSubmit} noValidate className="flex flex-col gap-5">
        <TextField
          label={words.dateAndTime}
          type="datetime-local"
          value={value}
          min={now}
          onChange={(next) => {
            setValue(next)
            setError(undefined)
          }}
          error={error}
          hint={words.zoneHint(zoneLabel(zone, value))}
          focusFirst
        />
        {price !== undefined && <p className={hintStyle}>{price}</p>}
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button look="primary" type="submit" pending={running !== null}>
            {words.moveButton}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const tomorrowField = (zone: string) => `${shiftDay(todayKey(zone), 1)}T09:00`
