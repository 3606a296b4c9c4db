import { words } from './page-words.ts'

const sizes = { sm: 'size-4', md: 'size-6', lg: 'size-8' }

interface Props {
  readonly label?: string
  readonly size?: keyof typeof sizes
}

export function Spinner({ label = words.loading, size = 'md' }: Props) {
  return (
    <output className="inline-flex">
      <svg
        viewBox="0 0 32 32"
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        className={`${sizes[size]} animate-spin opacity-70`}
        aria-hidden
      >
        <path d="M26.25 5.75a14.5 14.5 0 1 0 0 20.5" />
      </svg>
      <span className="sr-only">{label}</span>
    </output>
  )
}

/** The same stands in index.html, before there is a script. */
export function PageSpinner() {
  return (
    <main className="grid min-h-dvh place-items-center text-accent-ink">
      <h1 className="sr-only">{words.product}</h1>
      <Spinner size="lg" />
    </main>
  )
}
