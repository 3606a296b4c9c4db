import type { Platform } from '../../api/contract/index.ts'
import { platformLook } from '../lib/platforms.ts'

const glyphs: Readonly<Record<Platform, string>> = {
  facebook:
    'M9.6 22v-8.7H6.7V9.9h2.9V7.3c0-2.9 1.7-4.5 4.4-4.5 1.2 0 2.5.2 2.5.2v2.8h-1.4c-1.4 0-1.9.9-1.9 1.8v2.3h3.1l-.5 3.4h-2.6V22z',
  instagram:
    'M8 3h8a5 5 0 0 1 5 5v8a5 5 0 0 1-5 5H8a5 5 0 0 1-5-5V8a5 5 0 0 1 5-5zm0 2a3 3 0 0 0-3 3v8a3 3 0 0 0 3 3h8a3 3 0 0 0 3-3V8a3 3 0 0 0-3-3zm4 2.7a4.3 4.3 0 1 1 0 8.6 4.3 4.3 0 0 1 0-8.6zm0 2a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6zm4.6-3.3a1.1 1.1 0 1 1 0 2.2 1.1 1.1 0 0 1 0-2.2z',
  twitter:
    'M22 5.9c-.7.3-1.5.6-2.4.7a4.1 4.1 0 0 0 1.8-2.3c-.8.5-1.7.8-2.6 1a4.1 4.1 0 0 0-7 3.8A11.7 11.7 0 0 1 3.4 4.7a4.1 4.1 0 0 0 1.3 5.5c-.7 0-1.3-.2-1.9-.5v.1c0 2 1.4 3.6 3.3 4-.6.2-1.2.2-1.9.1a4.1 4.1 0 0 0 3.9 2.9A8.3 8.3 0 0 1 2 18.4 11.7 11.7 0 0 0 20 8v-.5c.8-.4 1.5-1 2-1.6z',
  linkedin:
    'M4 9.2h3.6V21H4zM5.8 3.3a2.1 2.1 0 1 1 0 4.2 2.1 2.1 0 0 1 0-4.2zM10 9.2h3.4v1.6c.5-.9 1.7-1.9 3.4-1.9 3.6 0 4.2 2.4 4.2 5.4V21h-3.6v-5.9c0-1.4 0-3.2-2-3.2s-2.2 1.5-2.2 3.1v6H10z',
}

interface Props {
  readonly platform: Platform
  readonly className?: string
  /** Without it the icon is decoration beside the name. */
  readonly named?: boolean
}

export function PlatformIcon({ platform, className = 'size-4', named = false }: Props) {
  const { name, text } = platformLook[platform]
  return (
    <svg
      viewBox="0 0 24 24"
      fill="currentColor"
      className={`shrink-0 ${text} ${className}`}
      {...(named ? { role: 'img', 'aria-label': name } : { 'aria-hidden': true })}
    >
      <path d={glyphs[platform]} fillRule="evenodd" />
    </svg>
  )
}
