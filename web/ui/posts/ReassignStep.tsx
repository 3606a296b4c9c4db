/** Gives the open step of a post to other people who approve posts of its client. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Checkbox } from 'react-aria-components/Checkbox'
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup'
import { Label } from 'react-aria-components/Label'
import { approverRoles, type PostStep } from '../../../api/contract/index.ts'
import { maxReassigned, maxSkipReason } from '../../../api/contract/limits.ts'
import { teamQuery } from '../../lib/team-queries.ts'
import { Button } from '../Button.tsx'
import { checkboxStyle } from '../checkbox-style.ts'
import { errorStyle, labelStyle } from '../field.ts'
import { FormDialog } from '../FormDialog.tsx'
import { LoadError } from '../LoadError.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { TextField } from '../TextField.tsx'
import { stepWords as words } from './step-words.ts'
import { words as postWords } from './words.ts'

interface Props {
  readonly step: PostStep
  readonly clientId: string
  readonly pending: boolean
  readonly onReassign: (memberIds: string[], reason: string) => void
  readonly onClose: () => void
}

export default function ReassignStep({ step, clientId, pending, onReassign, onClose }: Props) {
  const team = useQuery(teamQuery)
  const [chosen, setChosen] = useState<string[]>([])
  const [reason, setReason] = useState('')
  const [showsErrors, setShowsErrors] = useState(false)
  const people = (team.data?.members ?? []).filter(
    ({ role, clients }) =>
      approverRoles.some((each) => each === role) && (clients === 'all' || clients.includes(clientId)),
  )
  const text = reason.trim()
  const reasonError =
    text.length > maxSkipReason ? postWords.reasonTooLong(maxSkipReason) : text === '' ? words.reasonMissing : undefined
  const peopleError =
    chosen.length === 0 ? words.chooseOne : chosen.length > maxReassigned ? words.tooMany(maxReassigned) : undefined
  return (
    <FormDialog
      onClose={onClose}
      unsaved={text !== '' || chosen.length > 0}
      width="small"
      title={words.reassignTitle(step.name)}
      description={words.reassignText}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          setShowsErrors(true)
          if (!reasonError && !peopleError && !pending) onReassign(chosen, text)
        }}
      >
        {team.isPending && (
          <>
            <output className="sr-only">{words.loadingPeople}</output>
            <Skeleton className="h-20" />
          </>
        )}
        {team.isError && <LoadError what={words.thePeople} error={team.error} onRetry={() => void team.refetch()} />}
        {team.isSuccess && (
          <CheckboxGroup
            value={chosen}
            onChange={setChosen}
            isInvalid={showsErrors && peopleError !== undefined}
            className="flex flex-col gap-1"
            data-testid="checkboxes-reassigned"
          >
            <Label className={labelStyle}>{words.people}</Label>
            {people.length === 0 && <p className="text-quiet">{words.noPeople}</p>}
            {people.map(({ id, name }) => (
              <Checkbox key={id} value={id} className={`${checkboxStyle} min-h-7`}>
                <span dir="auto" className="wrap-anywhere">
                  {name}
                </span>
              </Checkbox>
            ))}
            {showsErrors && peopleError !== undefined && (
              <p role="alert" className={errorStyle}>
                {peopleError}
              </p>
            )}
          </CheckboxGroup>
        )}
        <TextField
          label={words.reassignReason}
          value={reason}
          onChange={setReason}
          error={showsErrors || text.length > maxSkipReason ? reasonError : undefined}
          required
        />
        <div className="flex justify-end gap-2">
          <Button slot="close">{words.cancel}</Button>
          <Button look="primary" type="submit" pending={pending} data-testid="button-confirm-reassign">
            {pending ? words.reassigning : words.reassignNow}
          </Button>
        </div>
      </form>
    </FormDialog>
  )
}
