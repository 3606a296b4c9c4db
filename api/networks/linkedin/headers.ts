/** The headers that every call to LinkedIn's versioned REST API needs. */
import type { LinkedInSettings } from './settings.ts'

export const restHeaders = (
  { version }: Pick<LinkedInSettings, 'version'>,
  { accessToken }: { readonly accessToken: string },
): Record<string, string> => ({
  authorization: `Bearer ${accessToken}`,
  'linkedin-version': version,
  'x-restli-protocol-version': '2.0.0',
})
