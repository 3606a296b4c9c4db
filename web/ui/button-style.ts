/** The look of buttons, and of links that act as buttons. */
import { type StyleOf, variants } from './variants.ts'

export const buttonStyle = variants({
  base: 'relative inline-flex shrink-0 items-center justify-center gap-2 rounded-control font-medium whitespace-nowrap transition-colors select-none disabled:cursor-not-allowed disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
  variants: {
    look: {
      primary: 'bg-accent text-on-accent shadow-lift hover:bg-accent-hover pressed:bg-accent-hover',
      secondary: 'border border-control/60 bg-surface text-ink shadow-lift hover:bg-n3 pressed:bg-n4',
      quiet: 'text-quiet hover:bg-n3 hover:text-ink pressed:bg-n4',
      danger: 'bg-danger text-white shadow-lift hover:bg-danger-hover',
      dangerQuiet: 'text-rejected-ink hover:bg-rejected-soft',
      link: 'text-accent-ink underline-offset-4 hover:underline',
    },
    size: {
      sm: 'h-8 px-3 text-sm',
      md: 'h-9 px-3.5 text-base',
      lg: 'h-11 px-5 text-lg',
      icon: 'size-8',
      inline: 'h-auto p-0 text-base',
    },
    wide: { true: 'w-full' },
  },
  defaults: { look: 'secondary', size: 'md' },
})

export type ButtonStyle = StyleOf<typeof buttonStyle>
