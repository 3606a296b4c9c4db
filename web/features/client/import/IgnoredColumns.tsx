import { words } from './words.ts'

/** Names the columns that nothing is taken from. */
export function IgnoredColumns({ names }: { readonly names: readonly string[] }) {
  const named = names.map((name) => (name === '' ? '—' : `“${name}”`)).join(', ')
  return (
    <p dir="auto" className="text-sm wrap-anywhere text-quiet" data-testid="ignored-columns">
      {names.length === 0 ? words.columns.noneIgnored : words.columns.ignored(named)}
    </p>
  )
}
