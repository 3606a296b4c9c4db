import type { Client } from '../../../api/contract/index.ts'
import { inkOn } from '../../lib/ink.ts'

/** Two letters of a client's name in its colour, where posts of several clients stand side by side. */
export function ClientMark({ client }: { readonly client: Pick<Client, 'name' | 'brandColor'> }) {
  const color = client.brandColor ?? undefined
  return (
    <span
      aria-hidden
      data-testid="client-mark"
      className={`grid h-4 min-w-5 shrink-0 place-items-center rounded-control px-0.5 text-xs leading-none font-semibold ${color === undefined ? 'bg-n4 text-ink' : ''}`}
      style={color === undefined ? undefined : { backgroundColor: color, color: inkOn(color) }}
    >
      {initialsOf(client.name)}
    </span>
  )
}

/** `Blue Cup` is `BC`, `Apples & Pears` is `AP`, `Lumen` is `L`. */
export function initialsOf(name: string): string {
  const firsts = name.split(' ').flatMap((word) => [...word].slice(0, 1))
  const letters = firsts.filter((first) => /[\p{L}\p{N}]/u.test(first))
  return (letters.length > 0 ? letters : firsts).slice(0, 2).join('').toUpperCase()
}
