import type { Platform } from '../../domain/core/values.ts'

/** The display name of each network. */
export const networkNames: Readonly<Record<Platform, string>> = {
  facebook: 'Facebook',
  instagram: 'Instagram',
  twitter: 'X (Twitter)',
  linkedin: 'LinkedIn',
}
