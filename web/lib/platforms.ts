import type { Platform } from '../../api/contract/index.ts'

interface Look {
  /** As charts show it. */
  readonly name: string
  /** As sentences and cards show it. */
  readonly title: string
  /** The network's own colour, as bars, dots and charts show it. */
  readonly color: string
  readonly bar: string
  readonly tint: string
  readonly text: string
}

const look = {
  facebook: {
    name: 'Facebook',
    title: 'Facebook',
    color: 'var(--color-facebook)',
    bar: 'bg-facebook',
    tint: 'bg-facebook/10',
    text: 'text-facebook',
  },
  instagram: {
    name: 'Instagram',
    title: 'Instagram',
    color: 'var(--color-instagram)',
    bar: 'bg-instagram',
    tint: 'bg-instagram/10',
    text: 'text-instagram',
  },
  twitter: {
    name: 'Twitter',
    title: 'X (Twitter)',
    color: 'var(--color-twitter)',
    bar: 'bg-twitter',
    tint: 'bg-twitter/10',
    text: 'text-twitter',
  },
  linkedin: {
    name: 'LinkedIn',
    title: 'LinkedIn',
    color: 'var(--color-linkedin)',
    bar: 'bg-linkedin',
    tint: 'bg-linkedin/10',
    text: 'text-linkedin',
  },
} as const satisfies Readonly<Record<Platform, Look>>

export const platformLook: Readonly<Record<Platform, Look>> = look
export const platformList: readonly Platform[] = ['facebook', 'instagram', 'twitter', 'linkedin']
