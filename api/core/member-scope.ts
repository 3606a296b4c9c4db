/** A member's clients as a condition on documents: what is out of their scope is left out by the query. */
import type { ClientScope } from '../../domain/agency/roles.ts'

/** A type, as an interface is no `Where`. */
export type ClientsWhere = {
  readonly agencyId: string
  readonly clientId?: { readonly in: readonly string[] }
}

export const whereFor = (agencyId: string, scope: ClientScope): ClientsWhere =>
  scope === 'all' ? { agencyId } : { agencyId, clientId: { in: scope } }
