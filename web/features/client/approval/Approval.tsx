/** The approval policy of a client: read by its managers, changed by owners and admins. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Checkbox } from 'react-aria-components/Checkbox'
import { approverRoles, maxApprovalSteps, type AnsweredPolicy } from '../../../../api/contract/index.ts'
import { call } from '../../../lib/call.ts'
import { errorText, fieldNamedBy, textUnder } from '../../../lib/error-text.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { teamQuery } from '../../../lib/team-queries.ts'
import { Button } from '../../../ui/Button.tsx'
import { checkboxStyle } from '../../../ui/checkbox-style.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.ts'
import { draftOf, isComplete, minutesError, newStep, policyOf, type PolicyDraft, type StepDraft } from './draft.ts'
import { policyQuery } from './policy-query.ts'
import { Reminders, type Refused } from './Reminders.tsx'
import { StepFields } from './StepFields.tsx'
import { words } from './words.ts'

interface Props {
  readonly clientId: string
  readonly mayChange: boolean
}

export default function Approval({ clientId, mayChange }: Props) {
  const policy = useQuery(policyQuery(clientId))
  return (
    <section aria-labelledby="approval-heading" className="max-w-form" data-testid="approval-policy">
      <h2 id="approval-heading" className="sr-only">
        {words.heading}
      </h2>
      <p className="max-w-text text-quiet">{words.intro}</p>
      <p className="mt-1 mb-4 max-w-text text-quiet">{mayChange ? words.underWay : words.readOnly}</p>
      {policy.isPending && (
        <>
          <output className="sr-only">{words.loading}</output>
          <Skeleton className="h-48" />
        </>
      )}
      {policy.isError && (
        <LoadError what={words.thePolicy} error={policy.error} onRetry={() => void policy.refetch()} />
      )}
      {policy.isSuccess && <PolicyForm clientId={clientId} policy={policy.data} mayChange={mayChange} />}
    </section>
  )
}

function PolicyForm({ clientId, policy, mayChange }: Props & { readonly policy: AnsweredPolicy }) {
  const [draft, setDraft] = useState<PolicyDraft>(() => draftOf(policy))
  const [showsErrors, setShowsErrors] = useState(false)
  const team = useQuery(teamQuery).data
  const members = team?.members ?? []
  const people = members.filter(
    ({ role, clients }) =>
      approverRoles.some((each) => each === role) && (clients === 'all' || clients.includes(clientId)),
  )
  const save = useMutation({
    mutationFn: (body: AnsweredPolicy) =>
      call('PATCH /api/clients/{id}/approval-policy', { params: { id: clientId }, body }),
    onSuccess: (saved) => {
      queryClient.setQueryData(policyQuery(clientId).queryKey, saved)
      toast(words.saved)
    },
    onError: (error) => {
      if (refusedOf(error) === null)
        toast({ title: words.failed, description: errorText(error), variant: 'destructive' })
    },
  })
  const refused = save.isError ? refusedOf(save.error) : null
  const { steps } = draft
  const change = (next: PolicyDraft) => {
    setDraft(next)
    if (refused) save.reset()
  }
  const setSteps = (next: readonly StepDraft[]) => setDraft({ ...draft, steps: next })
  const moveUp = (at: number) => setSteps(steps.toSpliced(at, 1).toSpliced(at - 1, 0, ...steps.slice(at, at + 1)))
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setShowsErrors(true)
        if (isComplete(draft) && !save.isPending) save.mutate(policyOf(draft))
      }}
    >
      {steps.length === 0 && <p data-testid="no-steps">{words.none}</p>}
      {steps.map((step, at) => (
        <StepFields
          key={step.id}
          step={step}
          position={at + 1}
          people={people}
          showsErrors={showsErrors}
          disabled={!mayChange}
          onChange={(changed) => setSteps(steps.with(at, changed))}
          onUp={() => moveUp(at)}
          onRemove={() => setSteps(steps.toSpliced(at, 1))}
        />
      ))}
      {steps.length > 0 && (
        <div className="flex flex-col gap-2">
          <Checkbox
            isSelected={draft.refusesOwn}
            onChange={(refusesOwn) => setDraft({ ...draft, refusesOwn })}
            isDisabled={!mayChange}
            className={`${checkboxStyle} min-h-7`}
          >
            {words.own}
          </Checkbox>
          {draft.refusesOwn && draft.steps.some(({ by }) => by === 'client') && (
            <p className="max-w-text text-sm text-quiet">{team?.mails === false ? words.noCodes : words.byCode}</p>
          )}
          <Checkbox
            isSelected={draft.isBound}
            onChange={(isBound) => setDraft({ ...draft, isBound })}
            isDisabled={!mayChange}
            className={`${checkboxStyle} min-h-7`}
          >
            {words.bound}
          </Checkbox>
          {draft.isBound && (
            <TextField
              label={words.minutes}
              value={draft.minutes}
              onChange={(minutes) => setDraft({ ...draft, minutes })}
              readOnly={!mayChange}
              error={minutesError(draft)}
              className="w-full sm:w-72"
            />
          )}
        </div>
      )}
      {steps.length > 0 && (
        <Reminders draft={draft} showsErrors={showsErrors} disabled={!mayChange} refused={refused} onChange={change} />
      )}
      {mayChange && (
        <div className="flex flex-wrap gap-2">
          {steps.length < maxApprovalSteps && (
            <Button onPress={() => setSteps([...steps, newStep()])} data-testid="button-add-step">
              <Plus aria-hidden />
              {words.add}
            </Button>
          )}
          <Button look="primary" type="submit" pending={save.isPending} data-testid="button-save-approval">
            {save.isPending ? words.saving : words.save}
          </Button>
        </div>
      )}
    </form>
  )
}

/** Null: the server refused no field of the reminders. An entry of a list is named by its place. */
function refusedOf(error: unknown): Refused | null {
  const places = ['remindAfterHours', 'remindAfterHours 0', 'remindAfterHours 1', 'remindAfterHours 2'] as const
  const hours = fieldNamedBy(error, places)
  if (hours) return { field: 'remindAfterHours', sentence: textUnder(hours, error) }
  const field = fieldNamedBy(error, ['ifSilent'])
  return field && { field, sentence: textUnder(field, error) }
}
