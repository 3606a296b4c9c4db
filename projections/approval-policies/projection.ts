/** Which clients' posts need approval: lists of drafts ask for it, without the clients' streams. */
import type { AgencyEvent } from '../../domain/agency/events.ts'
import type { ClientEvent } from '../../domain/client/events.ts'
import { idOf, projection } from '../core/projection.ts'
import { approvalPolicyView } from './view.ts'

type PolicyEvent = Extract<ClientEvent, { type: 'ApprovalPolicySet' }> | Extract<AgencyEvent, { type: 'ClientRemoved' }>

export const approvalPoliciesProjection = projection<PolicyEvent>()({
  name: 'approval-policies',
  version: 1,
  view: approvalPolicyView,
  indexes: [['agencyId']],
  keys: (event) => [event.type === 'ClientRemoved' ? event.data.clientId : idOf(event.stream)],
  on: {
    ApprovalPolicySet: (_, { data, metadata }, id) =>
      data.steps.length === 0 ? null : { id, agencyId: metadata.agencyId, ...data },
    ClientRemoved: () => null,
  },
})
