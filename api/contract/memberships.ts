/** The agencies of a person. */
import { z } from 'zod'
import { memberRoles } from '../../domain/agency/roles.ts'
import { idSchema } from '../../domain/core/values.ts'
import { route } from './route.ts'

export const membershipReply = z.object({
  agencyId: z.string(),
  name: z.string(),
  role: z.enum(memberRoles),
  /** The agency that the session works in. */
  isCurrent: z.boolean(),
})
export type AgencyMembership = z.infer<typeof membershipReply>

export const membershipRoutes = {
  listAgencies: route({
    method: 'GET',
    path: '/api/auth/agencies',
    access: 'user',
    beforeFactor: true,
    summary: 'The agencies of the signed-in person',
    reply: z.array(membershipReply),
    status: 200,
  }),
  chooseAgency: route({
    method: 'POST',
    path: '/api/auth/agency',
    access: 'user',
    beforeFactor: true,
    summary: 'Work in another agency with this session',
    body: z.object({ agencyId: idSchema }),
    reply: membershipReply,
    status: 200,
    errors: { 404: 'The person is no member of such an agency' },
  }),
}
