import type { AgencyEvent } from '../../domain/agency/events.ts'
import { projection } from '../core/projection.ts'
import { clientView } from './view.ts'

type ClientRosterEvent = Extract<AgencyEvent, { type: 'ClientAdded' | 'ClientProfileRevised' | 'ClientRemoved' }>

export const clientsProjection = projection<ClientRosterEvent>()({
  name: 'clients',
  version: 1,
  view: clientView,
  indexes: [['agencyId', 'name']],
  keys: ({ data }) => [data.clientId],
  on: {
    ClientAdded: (_, { data, metadata }) => ({
      id: data.clientId,
      agencyId: metadata.agencyId,
      ...data.profile,
      createdAt: metadata.at,
    }),
    ClientProfileRevised: (client, { data }) => (client ? { ...client, ...data.profile } : null),
    ClientRemoved: () => null,
  },
})
