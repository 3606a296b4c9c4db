/** How every control for typing and choosing looks. */
import { tv } from 'tailwind-variants/lite'

export const controlStyle = tv({
  base: 'w-full rounded-control border border-control bg-surface px-3 text-base text-ink shadow-lift transition-colors outline-offset-0 hover:border-n10 disabled:opacity-60 aria-invalid:border-danger [&[readonly]]:border-n6 [&[readonly]]:bg-n3 [&[readonly]]:shadow-none invalid:border-danger max-md:text-lg',
  variants: { kind: { line: 'h-9', area: 'min-h-24 py-2 leading-relaxed' } },
  defaultVariants: { kind: 'line' },
})

export const labelStyle = 'text-sm font-medium text-ink'
export const hintStyle = 'text-sm text-quiet'
export const errorStyle = 'text-sm text-rejected-ink'
