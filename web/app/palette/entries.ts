/** What the palette offers besides posts: it is here already, so it is filtered here. */
import type { Client } from '../../../api/contract/index.ts'
import { words as shell } from '../words.ts'
import { words } from './words.ts'

export type Target =
  | { readonly to: 'screen'; readonly path: (typeof screenPaths)[number][0] }
  | { readonly to: 'client' | 'compose'; readonly clientId: string }
  | { readonly to: 'post'; readonly clientId: string; readonly postId: string }
  | { readonly to: 'new-client' | 'choose-client' }

export interface Entry {
  readonly id: string
  readonly label: string
  readonly note?: string
  readonly target: Target
}

const { screens } = shell
const screenPaths = [
  ['/', screens.dashboard],
  ['/clients', screens.clients],
  ['/content', screens.content],
  ['/calendar', screens.calendar],
  ['/analytics', screens.analytics],
  ['/billing', screens.billing],
  ['/settings', screens.settings],
  ['/settings/security', words.security],
  ['/audit', words.audit],
] as const

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
const wordsOf = (text: string) =>
  plain(text)
    .split(/[\s,.&/-]+/u)
    .filter(Boolean)

/** Each word that was typed begins a word of the label. */
export function isMatch(label: string, typed: string): boolean {
  const has = wordsOf(label)
  return wordsOf(typed).every((word) => has.some((each) => each.startsWith(word)))
}

/** What the member's role allows. */
export interface Rights {
  readonly composes: boolean
  readonly addsClients: boolean
}

/** @param chosen the client that the open screen is about */
export function actionsOf(
  clients: readonly Client[],
  chosen: string | undefined,
  typed: string,
  { composes, addsClients }: Rights,
): readonly Entry[] {
  const one = clients.find(({ id }) => id === chosen) ?? (clients.length === 1 ? clients[0] : undefined)
  const compose = ({ id, name }: Client): Entry => ({
    id: `compose ${id}`,
    label: words.newPostFor(name),
    target: { to: 'compose', clientId: id },
  })
  const perClient = typed.trim() === '' || !composes ? [] : clients.map(compose)
  const first: readonly Entry[] =
    clients.length === 0 || !composes
      ? []
      : one
        ? [compose(one)]
        : [{ id: 'new-post', label: words.newPost, target: { to: 'choose-client' } }]
  const newClient: Entry = { id: 'new-client', label: words.newClient, target: { to: 'new-client' } }
  const unique = new Map(
    [...first, ...perClient, ...(addsClients ? [newClient] : [])].map((entry) => [entry.id, entry]),
  )
  // Where every client's own entry shows, the one that only leads to them is left out.
  if (perClient.some(({ label }) => isMatch(label, typed))) unique.delete('new-post')
  return [...unique.values()].filter(({ label }) => isMatch(label, typed))
}

export const screensOf = (typed: string): readonly Entry[] =>
  screenPaths
    .map(([path, label]): Entry => ({ id: `screen ${path}`, label, target: { to: 'screen', path } }))
    .filter(({ label }) => isMatch(label, typed))

export const clientsOf = (clients: readonly Client[], typed: string): readonly Entry[] =>
  clients
    .map(({ id, name, industry }): Entry => ({
      id: `client ${id}`,
      label: name,
      ...(industry && { note: industry }),
      target: { to: 'client', clientId: id },
    }))
    .filter(({ label }) => isMatch(label, typed))
