import { maxListed } from '../../lib/pages.ts'

/** Says that a list has more posts than a screen shows. */
export const ListBound = ({ count }: { readonly count: number }) =>
  count >= maxListed && (
    <p className="mt-4 text-center text-sm text-quiet">{`Only the newest ${count.toLocaleString('en-US')} posts are shown.`}</p>
  )
