/** The look of every control for typing and choosing. */
import { variants } from './variants.ts'

export const controlStyle = variants({
  base: 'w-full rounded-control border border-control bg-surface px-3 text-base text-ink shadow-lift transition-colors outline-offset-0 hover:border-n10 disabled:opacity-60 aria-invalid:border-danger [&[readonly]]:border-n6 [&[readonly]]:bg-n3 [&[readonly]]:shadow-none max-md:text-lg',
  variants: { kind: { line: 'h-9', area: 'min-h-24 py-2 leading-relaxed' } },
  defaults: { kind: 'line' },
})

export const labelStyle = 'text-sm font-medium text-ink'
export const hintStyle = 'text-sm text-quiet'
export const adviceStyle = 'text-sm text-pending-ink'
export const errorStyle = 'text-sm text-rejected-ink'

export const popoverStyle =
  'rounded-card bg-float shadow-float outline-none entering:animate-in entering:fade-in-0 entering:zoom-in-98 entering:duration-150 exiting:animate-out exiting:fade-out-0 exiting:duration-100'
export const optionStyle =
  'flex cursor-default items-center gap-2.5 rounded-control px-2.5 py-2 text-base text-ink outline-none select-none focused:bg-n3 pressed:bg-n4 [&_svg]:shrink-0'
