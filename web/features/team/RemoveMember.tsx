/** Removes a person, and says before what that ends. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Label } from 'react-aria-components/Label'
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup'
import type { MemberRemoval, TeamMember } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { afterTeamChange, removalQuery } from '../../lib/team-queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { labelStyle } from '../../ui/field.ts'
import { LoadError } from '../../ui/LoadError.tsx'
import { radioStyle } from '../../ui/radio-style.ts'
import { ServerError } from '../../ui/ServerError.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { words } from './words.ts'

interface Props {
  readonly member: TeamMember
  readonly onClose: () => void
}

export default function RemoveMember({ member: { id, name }, onClose }: Props) {
  const ends = useQuery(removalQuery(id))
  const [links, setLinks] = useState<'kept' | 'revoked'>('kept')
  const remove = useMutation({
    mutationFn: () => call('POST /api/team/members/{id}/remove', { params: { id }, body: { links } }),
    onSuccess: async () => {
      await afterTeamChange()
      onClose()
      toast({ title: words.removing.removed, description: words.removing.removedText(name) })
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.removing.title(name)}
      description={words.removing.text(name)}
      alert
      width="small"
      footer={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button
            look="danger"
            onPress={() => remove.mutate()}
            pending={remove.isPending}
            data-testid="button-remove-member"
          >
            {words.removing.action}
          </Button>
        </>
      }
    >
      {ends.isPending && <Skeleton className="h-16" />}
      {ends.isError && (
        <LoadError what={words.removing.whatEnds} error={ends.error} onRetry={() => void ends.refetch()} />
      )}
      {ends.data && <Ends {...ends.data} choice={links} onChoice={setLinks} />}
      <ServerError message={remove.isError ? errorText(remove.error) : null} />
    </Dialog>
  )
}

interface EndsProps extends MemberRemoval {
  readonly choice: 'kept' | 'revoked'
  readonly onChoice: (choice: 'kept' | 'revoked') => void
}

function Ends({ posts, invitations, links, choice, onChoice }: EndsProps) {
  const said = [
    ...(posts > 0 ? [words.removing.posts(posts)] : []),
    ...(invitations > 0 ? [words.removing.invitations(invitations)] : []),
  ]
  return (
    <div className="flex flex-col gap-4">
      {said.length > 0 && (
        <div>
          <p>{words.removing.ends}</p>
          <ul className="mt-1 list-disc pl-5 text-quiet">
            {said.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </div>
      )}
      {links.length > 0 && (
        <RadioGroup
          value={choice}
          onChange={(next) => onChoice(next === 'revoked' ? 'revoked' : 'kept')}
          className="flex flex-col gap-2"
        >
          <Label className={labelStyle}>{words.removing.links}</Label>
          <ul className="list-disc pl-5 text-quiet">
            {links.map(({ id, label }) => (
              <li key={id} dir="auto" className="wrap-anywhere">
                {label}
              </li>
            ))}
          </ul>
          <Radio value="kept" className={`${radioStyle} min-h-7`}>
            {words.removing.keep}
          </Radio>
          <Radio value="revoked" className={`${radioStyle} min-h-7`}>
            {words.removing.revoke}
          </Radio>
        </RadioGroup>
      )}
    </div>
  )
}
