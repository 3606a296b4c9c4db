/** Limits per address, which hold for signed-in users and known browsers too. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testServer, type TestServer } from '../../testing/server.ts'
import { Devices } from './devices.ts'
import { Browser, newEmail, password, person } from './test/helpers.ts'
import { SignInThrottle, type Limits } from './throttle.ts'
import type { UserRecord } from './users.ts'

describe('one address', () => {
  let few: TestServer
  beforeAll(async () => {
    few = await testServer({ TRUST_PROXY: 'true' }, { limits: { perAddress: 30, registrations: 7 } })
  })
  afterAll(() => few.remove())

  /** A signed-in user whose further requests come from this address. */
  async function signedInAt(address: string) {
    const { browser, email } = await person(few)
    const moved = new Browser(few.url, address)
    moved.cookie = browser.cookie
    return { moved, email, device: browser.device }
  }

  it.each([
    ['whoever it tries', async (address: string) => new Browser(few.url, address)],
    ['also who is signed in', async (address: string) => (await signedInAt(address)).moved],
  ])('is limited in sign-ins per minute and per quarter of an hour: %s', async (_, browserAt) => {
    const address = newAddress()
    const tries = async (from: string) => {
      const { status, headers } = await (await browserAt(from)).ask('login', { body: { email: newEmail(), password } })
      return { status, wait: Number(headers.get('retry-after') ?? 0) }
    }
    const found = [await tries(address), await tries(address), await tries(address)]
    expect(found.map(({ status }) => status)).toEqual([401, 401, 429])
    expect(found[2]?.wait).toBeGreaterThan(0)
    expect((await tries(newAddress())).status).toBe(401)
  })
  it('is limited in sign-ins from known browsers, even with correct passwords, and leaves a share to other accounts', async () => {
    const address = newAddress()
    const found: number[] = []
    for (let one = 0; one < 5; one++) {
      const { moved, email, device } = await signedInAt(address)
      for (let time = 0; time < 2; time++) {
        moved.device = device
        found.push(await moved.signIn(email))
      }
    }
    expect(found).toEqual([200, 429, 200, 429, 200, 429, 200, 429, 200, 429])
  })
  it('is limited in new accounts per hour, even for signed-in users', async () => {
    const { moved } = await signedInAt(newAddress())
    const found: number[] = []
    for (let time = 0; time < 8; time++) found.push(await moved.status('register', { email: newEmail(), password }))
    expect(found).toEqual([...Array<number>(7).fill(201), 429])
  })
  it('is limited in password checks per minute, across all users signed in there', { tags: 'long' }, async () => {
    const address = newAddress()
    const found: number[] = []
    for (let one = 0; one < 6; one++) {
      const { moved } = await signedInAt(address)
      for (let time = 0; time < 8; time++)
        found.push(await moved.status('changePassword', { currentPassword: 'a guess', newPassword: password }))
    }
    expect(found).toEqual([...Array<number>(40).fill(403), ...Array<number>(8).fill(429)])
  })
})

describe('known accounts of one address', () => {
  const devices = new Devices(['a secret for this test alone, and long'])
  const account = (one: number): UserRecord => ({
    id: `account-${one}`,
    email: `${one}@example.com`,
    passwordHash: '',
    firstName: null,
    lastName: null,
    profileImageUrl: null,
    createdAt: '',
    updatedAt: '',
  })
  /** The outcomes of repeated sign-ins, account by account. */
  async function signIns(limits: Partial<Limits>, accounts: number, each: number): Promise<boolean[][]> {
    const throttle = new SignInThrottle(devices, limits)
    const letIn = (user: UserRecord) =>
      throttle.begin('192.0.2.1', user.email, devices.remember(null, user), user).then(
        () => true,
        () => false,
      )
    const found: boolean[][] = []
    for (let one = 0; one < accounts; one++) {
      const user = account(one)
      const own: boolean[] = []
      for (let time = 0; time < each; time++) own.push(await letIn(user))
      found.push(own)
    }
    return found
  }

  it('have two sign-ins a minute each that other accounts cannot use up, and no more per account', async () => {
    const found = await signIns({}, 20, 7)
    expect(found[0]).toEqual([true, true, true, true, true, false, false])
    expect(found[19]).toEqual([true, true, false, false, false, false, false])
  })
  it('have a total limit, however many accounts there are', async () => {
    const found = (await signIns({}, 400, 2)).flat()
    expect(found.filter(Boolean)).toHaveLength(200 + 40)
  })
})

describe('an IPv6 site', () => {
  it(
    'signs in as often as sixteen addresses, however many it uses; the next site is counted separately',
    { tags: 'long' },
    async () => {
      const sites = await testServer({ TRUST_PROXY: 'true' }, { limits: { perAddress: 1 } })
      try {
        const tries = (address: string) => new Browser(sites.url, address).signIn(newEmail())
        const found: number[] = []
        for (let one = 0; one < 18; one++) found.push(await tries(`2001:db8:1:${one}::1`))
        expect(found).toEqual([...Array<number>(16).fill(401), 429, 429])
        expect(await tries('2001:db8:2::1')).toBe(401)
      } finally {
        await sites.remove()
      }
    },
  )
})

describe('an attacker with many known browsers of a few accounts', () => {
  it(
    'locks no owner out of a known browser, neither elsewhere nor at the same address [S10]',
    { tags: 'long' },
    async () => {
      const secret = 'a secret for this test alone, and long'
      const flooded = await testServer(
        { TRUST_PROXY: 'true', SESSION_SECRET: secret, LOG_LEVEL: 'silent' },
        { limits: {} },
      )
      try {
        const devices = new Devices([secret])
        const [attackers, owners] = [await people(flooded, 10), await people(flooded, 2)]
        const known = (account: { readonly id: string }, address: string) => {
          const browser = new Browser(flooded.url, address)
          browser.device = `socialai-device=${devices.remember(null, account)}`
          return browser
        }
        const address = newAddress()
        const flood = Array.from({ length: 25 }, () =>
          attackers.map((each) => known(each, address).signIn(each.email)),
        ).flat()
        const found = await Promise.all(
          owners.map((each, index) => answered(known(each, index === 0 ? address : newAddress()), each.email)),
        )
        await Promise.all(flood)
        expect(found).toEqual([200, 200])
      } finally {
        await flooded.remove()
      }
    },
  )
})

async function people(server: TestServer, many: number) {
  const found: Awaited<ReturnType<typeof person>>[] = []
  for (let one = 0; one < many; one++) found.push(await person(server))
  return found
}

/**
 * The status of a sign-in, and for a refusal its body. The API may answer 503 during the flood, because its stores are
 * too slow or the address has too much in flight. That locks no owner out, so the owner tries again.
 */
async function answered(browser: Browser, email: string): Promise<number | string> {
  for (;;) {
    const { status, text } = await browser.ask('login', { body: { email, password } })
    if (status === 200) return status
    if (status !== 503) return `${status} ${text}`
  }
}

let addresses = 0
const newAddress = () => `192.0.2.${(addresses += 1)}`
