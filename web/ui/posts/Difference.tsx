import { lazy, Suspense, type ComponentType } from 'react'

interface Props {
  readonly before: string
  readonly after: string
}

export const PlainText = ({ children }: { readonly children: string }) => (
  <p dir="auto" className="prose-post mt-1 rounded-control bg-n3 px-3 py-2">
    {children}
  </p>
)

const Whole = ({ after }: Props) => <PlainText>{after}</PlainText>

// The diff library is loaded with the first difference shown; if that fails, the plain text is shown.
const TextDifference = lazy<ComponentType<Props>>(() =>
  import('./TextDifference.tsx').catch(() => ({ default: Whole })),
)

export function Difference(props: Props) {
  return (
    <Suspense fallback={<Whole {...props} />}>
      <TextDifference {...props} />
    </Suspense>
  )
}
