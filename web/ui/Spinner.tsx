const sizes = { sm: 'size-4 border-2', md: 'size-6 border-2', lg: 'size-8 border-3' }

interface Props {
  readonly label?: string
  readonly size?: keyof typeof sizes
}

export function Spinner({ label = 'Loading', size = 'md' }: Props) {
  return (
    <output className="inline-flex">
      <span className={`${sizes[size]} animate-spin rounded-full border-current border-r-transparent opacity-70`} aria-hidden />
      <span className="sr-only">{label}</span>
    </output>
  )
}

export function PageSpinner() {
  return (
    <main className="grid min-h-dvh place-items-center text-accent-ink">
      <h1 className="sr-only">SocialAI</h1>
      <Spinner size="lg" />
    </main>
  )
}
