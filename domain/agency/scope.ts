/** What a member sees of an agency: the clients of their scope alone. */
import type { ClientScope } from './roles.ts'
import type { Agency } from './state.ts'

/** The agency with the clients of a scope; the same object for all of them. */
export function narrowedTo<A extends Pick<Agency, 'clients'>>(agency: A, scope: ClientScope): A {
  if (scope === 'all') return agency
  const clients = Object.fromEntries(Object.entries(agency.clients).filter(([id]) => scope.includes(id)))
  return { ...agency, clients }
}
