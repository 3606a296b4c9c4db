/** Users with accounts, and their addresses. */
import { expect } from 'vitest'
import { ApiClient, type HttpReply } from '../../../http/client.ts'
import type { RouteName } from '../../../contract/index.ts'
import type { Running } from '../../../composition/embedded.ts'
import { letter, tokenIn } from './letters.ts'

export const password = 'correct horse'

let counter = 0
export const newEmail = () => `account-${process.pid}-${(counter += 1)}@example.com`

/** A browser with its own address, which keeps the other cookies too. For servers that trust their proxy. */
export class Browser extends ApiClient {
  device = ''
  /** The cookie of a sign-in under way. */
  pending = ''
  /** The cookie of a visit to the provider of single sign-on. */
  visit = ''
  constructor(
    url: string,
    readonly address = `198.51.100.${(counter += 1) % 250}`,
  ) {
    super(url)
  }

  override async fetch(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HttpReply> {
    const Cookie = [this.cookie, this.device, this.pending, this.visit].filter(Boolean).join('; ')
    const reply = await super.fetch(method, path, body, {
      'X-Forwarded-For': this.address,
      ...(Cookie === '' ? {} : { Cookie }),
      ...headers,
    })
    const set = (name: RegExp) =>
      reply.headers
        .getSetCookie()
        .find((cookie) => name.test(cookie))
        ?.split(';')[0]
    this.device = set(/^[\w-]+-device=/) ?? this.device
    this.pending = set(/^[\w-]+-sign-in=/) ?? this.pending
    this.visit = set(/^[\w-]+-oidc=/) ?? this.visit
    return reply
  }

  /** Returns only the status. */
  async status(name: RouteName, body?: unknown): Promise<number> {
    return (await this.ask(name, { body })).status
  }

  signIn(email: string, with_ = password): Promise<number> {
    return this.status('login', { email, password: with_ })
  }

  /** Whether it has a valid session. */
  async isIn(): Promise<boolean> {
    return (await this.status('getUser')) === 200
  }
}

/** A new user, signed in. */
export async function person(
  server: Running,
): Promise<{ readonly browser: Browser; readonly email: string; readonly id: string }> {
  const browser = new Browser(server.url)
  const email = newEmail()
  const { id } = await browser.callOrThrow('register', { body: { email, password } })
  return { browser, email, id }
}

/** Requests a password reset and returns the token from the letter. */
export async function resetToken(server: Running, email: string, nth = 1): Promise<string> {
  expect(await new Browser(server.url).status('forgotPassword', { email })).toBe(204)
  return tokenIn(await letter(server, email, /^Set a new password/, nth))
}
