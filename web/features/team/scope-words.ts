import type { Client, ClientScope } from '../../../api/contract/index.ts'
import { words } from './words.ts'

/** The clients of a member, in words; one that is removed meanwhile has no name any more. */
export function scopeWords(scope: ClientScope, clients: readonly Pick<Client, 'id' | 'name'>[]): string {
  if (scope === 'all') return words.allClients
  const names = clients.filter(({ id }) => scope.includes(id)).map(({ name }) => name)
  return names.length === 0 ? words.noClients : names.join(', ')
}
