/** People with an agency, and the letters that they get. */
import { letter } from '../api/features/auth/test/letters.ts'
import { ApiClient } from '../api/http/client.ts'
import { owner, type TestServer } from '../api/testing/server.ts'

export interface Person {
  readonly caller: ApiClient
  readonly email: string
}

export async function person(server: TestServer): Promise<Person> {
  const caller = await owner(server)
  return { caller, email: (await caller.callOrThrow('getUser')).email }
}

/** Where the link in a letter leads: its path, as a person presses it, and the token in it. */
export async function linkIn(server: TestServer, to: string, about: RegExp, nth = 1) {
  const { pathname, hash } = new URL(
    /https?:\/\/\S+#[\w-]{43}/.exec(await letter(server, to, about, nth))?.[0] ?? 'none:',
  )
  return { address: pathname + hash, token: hash.slice(1) }
}

export const signsInWith = async (server: TestServer, email: string, password: string) =>
  (await new ApiClient(server.url).ask('login', { body: { email, password } })).status === 200
