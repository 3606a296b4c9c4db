/** Of the size of what comes. */
export function Skeleton({ className = '' }: { readonly className?: string }) {
  return <div aria-hidden className={`animate-pulse rounded-control bg-n4 ${className}`} />
}

interface Props {
  readonly count: number
  readonly label: string
  readonly className: string
  readonly item: string
}

/** Placeholders in the grid of what they stand for. */
export function SkeletonCards({ count, label, className, item }: Props) {
  return (
    <div className={className}>
      <output className="sr-only">{label}</output>
      {Array.from({ length: count }, (_, index) => (
        <div
          key={index}
          data-testid="skeleton-card"
          className={`rounded-card border border-line bg-surface p-5 ${item}`}
        >
          <div className="flex items-center gap-3">
            <Skeleton className="size-10" />
            <div className="flex-1 space-y-2">
              <Skeleton className="h-4 w-2/3" />
              <Skeleton className="h-3 w-1/3" />
            </div>
          </div>
        </div>
      ))}
    </div>
  )
}
