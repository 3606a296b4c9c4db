export function LogoMark({ className = 'size-8' }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={`shrink-0 ${className}`}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        className="fill-white"
        d="M8 11.5a3 3 0 0 1 3-3h10a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3h-5.2L12 24v-3.5h-1a3 3 0 0 1-3-3z"
      />
      <path
        className="stroke-accent"
        d="m12.6 14.6 2.3 2.3 4.5-4.6"
        fill="none"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
