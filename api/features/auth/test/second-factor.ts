/** Users with a confirmed address and second factors. */
import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import type { TestServer } from '../../../testing/server.ts'
import { Browser, password, person } from './helpers.ts'
import { letter, tokenIn } from './letters.ts'

/** Requests the confirmation of an address and returns the token from the letter. */
export async function addressToken(server: TestServer, browser: Browser, email: string, nth = 1): Promise<string> {
  expect(await browser.status('askAddressLink')).toBe(204)
  return tokenIn(await letter(server, email, /^Confirm your email address/, nth))
}

/** A new user with a confirmed address, signed in. */
export async function confirmedPerson(server: TestServer) {
  const someone = await person(server)
  const token = await addressToken(server, someone.browser, someone.email)
  await someone.browser.callOrThrow('confirmAddress', { body: { token } })
  return someone
}

/** The code that an app shows for a secret. @param steps later or earlier, in steps of 30 seconds */
export const codeOf = (server: Pick<TestServer, 'clock'>, secret: string, steps = 0): string =>
  TOTP.generate({
    secret: Secret.fromBase32(secret),
    timestamp: Date.parse(server.clock.now()) + steps * 30_000,
  })

/**
 * The same with an authenticator app, whose next code is unused. The clock moves on by one step for that: a code of
 * the step before would be refused if the clock reached the next step before the server judged it.
 */
export async function personWithApp(server: TestServer) {
  const someone = await confirmedPerson(server)
  const { secret } = await someone.browser.callOrThrow('beginTotp', { body: { password } })
  const { recoveryCodes } = await someone.browser.callOrThrow('confirmTotp', {
    body: { code: codeOf(server, secret) },
  })
  server.clock.advance(30_000)
  return { ...someone, secret, recoveryCodes }
}

/** A browser whose password was right, and that waits for a code. */
export async function halfSignedIn(server: TestServer, email: string): Promise<Browser> {
  const browser = new Browser(server.url)
  expect(await browser.signIn(email)).toBe(401)
  return browser
}
