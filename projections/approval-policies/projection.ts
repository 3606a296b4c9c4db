/**
 * Which clients' posts need approval: readers of drafts ask for it, without the clients' streams. A document for each
 * agency, with or without policies: an empty answer would have to be asked for twice, since MongoDB gives one for a
 * collection that was dropped, too.
 */
import type { AgencyEvent } from '../../domain/agency/events.ts'
import type { ClientEvent } from '../../domain/client/events.ts'
import { idOf, projection } from '../core/projection.ts'
import { approvalPoliciesView, type ApprovalPoliciesView } from './view.ts'

type PolicyEvent =
  | Extract<ClientEvent, { type: 'ApprovalPolicySet' }>
  | Extract<AgencyEvent, { type: 'AgencyOpened' | 'ClientRemoved' }>

type Policies = ApprovalPoliciesView['policies']

const without = (policies: Policies, clientId: string): Policies =>
  Object.fromEntries(Object.entries(policies).filter(([id]) => id !== clientId))

export const approvalPoliciesProjection = projection<PolicyEvent>()({
  name: 'approval-policies',
  version: 1,
  view: approvalPoliciesView,
  indexes: [],
  keys: ({ metadata }) => [metadata.agencyId],
  on: {
    AgencyOpened: (agency, _, id) => agency ?? { id, policies: {} },
    ApprovalPolicySet: (agency, { stream, data }, id) => {
      const others = without(agency?.policies ?? {}, idOf(stream))
      return { id, policies: data.steps.length === 0 ? others : { ...others, [idOf(stream)]: data } }
    },
    ClientRemoved: (agency, { data }, id) => ({ id, policies: without(agency?.policies ?? {}, data.clientId) }),
  },
})
