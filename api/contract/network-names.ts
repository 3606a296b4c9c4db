import type { Platform } from '../../domain/core/values.ts'

/** What people call each network. */
export const networkNames: Readonly<Record<Platform, string>> = {
  facebook: 'Facebook',
  instagram: 'Instagram',
  twitter: 'X',
  linkedin: 'LinkedIn',
}
