/** Who a post is assigned to; a choice for those who may assign it. Absent in an agency of one person. */
import { useQuery } from '@tanstack/react-query'
import type { Post } from '../../../api/contract/index.ts'
import { assign, usePostAction } from '../../lib/post-actions.ts'
import { teamQuery } from '../../lib/team-queries.ts'
import { Select } from '../Select.tsx'
import { words } from './words.ts'

const nobody = 'nobody'

export function AssignTo({ post }: { readonly post: Pick<Post, 'id' | 'clientId' | 'assignedTo' | 'can'> }) {
  const members = useQuery(teamQuery).data?.members ?? []
  const { run, running } = usePostAction()
  if (members.length < 2) return null
  const offered = members.filter(({ clients }) => clients === 'all' || clients.includes(post.clientId))
  const now = members.find(({ id }) => id === post.assignedTo)
  return (
    <>
      <dt className="text-quiet">{words.assignedTo}</dt>
      <dd>
        {post.can.includes('assign') ? (
          <Select
            label={words.assignedTo}
            labelHidden
            testId="select-assignee"
            options={[{ id: nobody, label: words.nobody }, ...offered.map(({ id, name }) => ({ id, label: name }))]}
            value={post.assignedTo ?? nobody}
            disabled={running !== null}
            onChange={(id) => run(post.id, assign(id === nobody ? null : id))}
          />
        ) : (
          (now?.name ?? words.nobody)
        )}
      </dd>
    </>
  )
}
