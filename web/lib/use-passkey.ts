/** The browser's part of passkeys. Loaded when a passkey is used or added. */
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { Passkey, Routes, User } from '../../api/contract/index.ts'
import { call, type Sent } from './call.ts'
import { pageAgency } from './session.ts'

type Asked<F extends (options: never) => unknown> = Parameters<F>[0] extends { readonly optionsJSON: infer O }
  ? O
  : never
type Used = Sent<Routes['usePasskey']>['body']
type Added = Sent<Routes['addPasskey']>['body']

/** Null when the person closed the browser's dialog. @throws Error as any call does */
export async function signInWithPasskey(step: 'first' | 'second'): Promise<User | null> {
  const options = await call('POST /api/auth/sign-in/passkey/options', { body: { step } })
  const response = await unlessClosed(
    startAuthentication({ optionsJSON: options as unknown as Asked<typeof startAuthentication> }),
  )
  return response && call('POST /api/auth/sign-in/passkey', { body: { response, ...pageAgency() } as unknown as Used })
}

interface AddedPasskey {
  readonly passkey: Passkey
  readonly recoveryCodes: readonly string[]
}

/** Null when the person closed the browser's dialog. @throws Error as any call does */
export async function addPasskey(name: string, password: string | undefined): Promise<AddedPasskey | null> {
  const options = await call('POST /api/auth/passkeys/options', { body: { password } })
  const response = await unlessClosed(
    startRegistration({ optionsJSON: options as unknown as Asked<typeof startRegistration> }),
  )
  return response && call('POST /api/auth/passkeys', { body: { name, response } as unknown as Added })
}

/** Browsers don't tell a closed dialog from one that took too long. */
async function unlessClosed<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')) return null
    throw error
  }
}
