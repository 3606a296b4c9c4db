import { useState, type ComponentProps } from 'react'
import type { Agency, Client, Team, TeamMember } from '../../../api/contract/index.ts'
import { roleNames } from '../../lib/role-names.ts'
import { formatDate, formatDateTime } from '../../lib/dates.ts'
import { Avatar } from '../../ui/Avatar.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { scopeWords } from './scope-words.ts'
import { words } from './words.ts'

const ChangeMember = lazyDialog<ComponentProps<(typeof import('./ChangeMember.tsx'))['default']>>(
  () => import('./ChangeMember.tsx'),
)
const RemoveMember = lazyDialog<ComponentProps<(typeof import('./RemoveMember.tsx'))['default']>>(
  () => import('./RemoveMember.tsx'),
)
const OfferOwnership = lazyDialog<ComponentProps<(typeof import('./OfferOwnership.tsx'))['default']>>(
  () => import('./OfferOwnership.tsx'),
)
const ResetFactors = lazyDialog<ComponentProps<(typeof import('./ResetFactors.tsx'))['default']>>(
  () => import('./ResetFactors.tsx'),
)
const LeaveTeam = lazyDialog<ComponentProps<(typeof import('./LeaveTeam.tsx'))['default']>>(
  () => import('./LeaveTeam.tsx'),
)

interface Props {
  readonly team: Team
  readonly me: Agency['me']
  readonly clients: readonly Client[]
  readonly zone: string
  readonly agencyName: string
}

interface Opened {
  readonly act: TeamMember['can'][number] | 'leave'
  readonly member: TeamMember
}

export function Members({ team: { members, maxMembers, mails }, me, clients, zone, agencyName }: Props) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const onClose = () => setOpened(null)
  return (
    <Card data-testid="card-members">
      <p className="tabular text-sm text-quiet">{words.people(members.length, maxMembers)}</p>
      <ul className="mt-2 flex flex-col divide-y divide-line">
        {members.map((member) => (
          <li
            key={member.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3"
            data-testid="member"
            data-role={member.role}
          >
            <Avatar name={member.name} image={null} round />
            <div className="min-w-48 flex-1">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <span dir="auto" className="font-medium wrap-anywhere">
                  {member.name}
                </span>
                {member.isMe && <Badge tone="default">{words.you}</Badge>}
                <Badge tone="secondary">{roleNames[member.role]}</Badge>
              </p>
              {member.email !== null && <p className="text-sm wrap-anywhere text-quiet">{member.email}</p>}
              <p dir="auto" className="text-sm wrap-anywhere text-quiet">
                {scopeWords(member.clients, clients)}
              </p>
            </div>
            <p className="text-sm text-quiet max-sm:w-full">
              {member.lastSeenAt === null
                ? words.joined(formatDate(member.joinedAt, zone))
                : words.lastSeen(formatDateTime(member.lastSeenAt, zone))}
            </p>
            <Acts member={member} onAct={(act) => setOpened({ act, member })} />
          </li>
        ))}
      </ul>
      {opened?.act === 'change' && (
        <ChangeMember member={opened.member} ownRole={me.role} clients={clients} onClose={onClose} />
      )}
      {opened?.act === 'remove' && <RemoveMember member={opened.member} onClose={onClose} />}
      {opened?.act === 'offer-ownership' && <OfferOwnership member={opened.member} onClose={onClose} />}
      {opened?.act === 'reset-factors' && <ResetFactors member={opened.member} mails={mails} onClose={onClose} />}
      {opened?.act === 'leave' && <LeaveTeam agencyName={agencyName} onClose={onClose} />}
    </Card>
  )
}

interface ActsProps {
  readonly member: TeamMember
  readonly onAct: (act: Opened['act']) => void
}

function Acts({ member: { name, can, isMe, role }, onAct }: ActsProps) {
  const leaves = isMe && role !== 'owner'
  if (can.length === 0 && !leaves) return null
  return (
    <fieldset className="flex flex-wrap gap-1" aria-label={words.actions(name)}>
      {can.includes('change') && (
        <Button size="sm" onPress={() => onAct('change')}>
          {words.change}
        </Button>
      )}
      {can.includes('offer-ownership') && (
        <Button size="sm" look="quiet" onPress={() => onAct('offer-ownership')}>
          {words.offer}
        </Button>
      )}
      {can.includes('reset-factors') && (
        <Button size="sm" look="quiet" onPress={() => onAct('reset-factors')}>
          {words.factors.open}
        </Button>
      )}
      {can.includes('remove') && !isMe && (
        <Button size="sm" look="dangerQuiet" onPress={() => onAct('remove')}>
          {words.remove}
        </Button>
      )}
      {leaves && (
        <Button size="sm" look="dangerQuiet" onPress={() => onAct('leave')}>
          {words.leave}
        </Button>
      )}
    </fieldset>
  )
}
