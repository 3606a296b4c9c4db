/** Whether each member of the agency needs a second factor. */
import { useMutation } from '@tanstack/react-query'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import { call } from '../../lib/call.ts'
import { formatDate } from '../../lib/dates.ts'
import { errorText } from '../../lib/error-text.ts'
import { afterAgencyChange } from '../../lib/refetch.ts'
import { useAgency, useZone } from '../../lib/use-agency.ts'
import { radioStyle } from '../../ui/radio-style.ts'
import { toast } from '../../ui/toast.ts'
import { FactorCard } from './factor-card.tsx'
import { words as allWords } from './words.ts'

const words = allWords.requirement
const choices = ['optional', 'required'] as const

export default function RequirementCard() {
  const agency = useAgency()
  const zone = useZone()
  const change = useMutation({
    mutationFn: (isRequired: boolean) => call('PATCH /api/agency/second-factor', { body: { isRequired } }),
    onSuccess: async ({ secondFactorSince }) => {
      await afterAgencyChange()
      toast({ title: words.changed, description: secondFactorSince === null ? words.lifted : words.begun })
    },
    onError: (error) => toast({ title: words.failed, description: errorText(error), variant: 'destructive' }),
  })
  const since = agency?.secondFactorSince ?? null
  const isRequired = change.isPending ? change.variables : since !== null
  return (
    <FactorCard testId="card-requirement" title={words.heading} text={words.text}>
      <RadioGroup
        aria-label={words.heading}
        value={isRequired ? 'required' : 'optional'}
        onChange={(next) => change.mutate(next === 'required')}
        isDisabled={change.isPending}
        className="mt-3 flex flex-col gap-2"
      >
        {choices.map((each) => (
          <Radio key={each} value={each} className={`${radioStyle} min-h-7`}>
            {words[each]}
          </Radio>
        ))}
      </RadioGroup>
      {since !== null && <p className="mt-2 text-sm text-quiet">{words.since(formatDate(since, zone))}</p>}
    </FactorCard>
  )
}
