/** For whom a comment is: the team, or the client too. */
import { Eye, Users } from 'lucide-react'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import type { PostComment } from '../../../api/contract/index.ts'
import { Badge } from '../Badge.tsx'
import { labelStyle } from '../field.ts'
import { radioStyle } from '../radio-style.ts'
import { words } from './words.ts'

export type Audience = PostComment['audience']

export const AudienceBadge = ({ audience }: { readonly audience: Audience }) =>
  audience === 'client' ? (
    <Badge tone="pending" icon={<Eye aria-hidden />} testId="audience-client">
      {words.forClient}
    </Badge>
  ) : (
    <Badge tone="secondary" icon={<Users aria-hidden />} testId="audience-team">
      {words.team}
    </Badge>
  )

interface Props {
  readonly value: Audience
  readonly onChange: (audience: Audience) => void
}

export const AudienceChoice = ({ value, onChange }: Props) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
    <RadioGroup
      aria-label={words.audience}
      orientation="horizontal"
      value={value}
      onChange={(chosen) => onChange(chosen === 'client' ? 'client' : 'team')}
      className="flex flex-wrap gap-x-4 gap-y-2"
    >
      <Radio value="team" className={radioStyle}>
        <span className={labelStyle}>{words.team}</span>
      </Radio>
      <Radio value="client" className={radioStyle} data-testid="radio-client">
        <span className={labelStyle}>{words.client}</span>
      </Radio>
    </RadioGroup>
    {value === 'client' && <AudienceBadge audience="client" />}
  </div>
)

/** Sets what the client reads apart at once. */
export const audienceStyle = (audience: Audience): string =>
  audience === 'client' ? 'border-l-pending-ink bg-pending-soft/40' : 'border-l-n6 bg-surface'
