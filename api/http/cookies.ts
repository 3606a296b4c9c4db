export interface CookieSettings {
  /** `__Host-…` over https, which browsers bind to this host. */
  readonly name: string
  /** The name of the device cookie, which marks a browser that signed in before. */
  readonly deviceName: string
  /** The name of the cookie of a sign-in that waits for its second factor. */
  readonly signInName: string
  /** The name of the cookie that binds a visit to the provider of single sign-on to this browser. */
  readonly oidcName: string
  readonly secure: boolean
  readonly maxAgeSeconds: number
}

export const cookieSettings = (publicUrl: string): CookieSettings => {
  const secure = publicUrl.startsWith('https:')
  const name = secure ? '__Host-socialai' : 'socialai'
  const names = { name, deviceName: `${name}-device`, signInName: `${name}-sign-in`, oidcName: `${name}-oidc` }
  return { ...names, secure, maxAgeSeconds: 14 * 24 * 3600 }
}

/** A Set-Cookie value; null deletes the cookie. */
export function sessionCookie({ name, secure, maxAgeSeconds }: CookieSettings, value: string | null): string {
  const maxAge = value === null ? 0 : maxAgeSeconds
  return `${name}=${value ?? ''}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`
}

/** As long as a sign-in may wait. */
const signInSeconds = 5 * 60

/** A Set-Cookie value; null deletes the cookie. */
export function signInCookie({ signInName, secure }: CookieSettings, value: string | null): string {
  const maxAge = value === null ? 0 : signInSeconds
  return `${signInName}=${value ?? ''}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure ? '; Secure' : ''}`
}

/** A Set-Cookie value; null deletes the cookie. Lax, because the provider sends the browser back. */
export function oidcCookie({ oidcName, secure }: CookieSettings, value: string | null): string {
  const maxAge = value === null ? 0 : signInSeconds
  return `${oidcName}=${value ?? ''}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure ? '; Secure' : ''}`
}

/** The longest lifetime that browsers accept. */
const deviceSeconds = 400 * 24 * 3600

export const deviceCookie = ({ deviceName, secure }: CookieSettings, value: string): string =>
  `${deviceName}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${deviceSeconds}${secure ? '; Secure' : ''}`

/** Whether the user has an agency. The web's `access-queries.ts` sets it. */
export const agencyCookie = 'agency'

/** The cookie's value in a Cookie header; null when it is absent. */
export function readCookie(header: string | undefined, name: string): string | null {
  if (header === undefined) return null
  for (const part of header.split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || null
  }
  return null
}
