import argon2 from 'argon2'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ApiClient } from '../../http/client.ts'
import { signedUp, testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.remove())

const person = { email: 'Ada@Example.com ', password: 'correct horse', firstName: ' Ada ' }

describe('registration and sign-in', () => {
  it('store the email in lower case and the name trimmed', async () => {
    const caller = new ApiClient(server.url)
    expect(await caller.callOrThrow('register', { body: person })).toMatchObject({
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: null,
    })
    expect((await caller.callOrThrow('getUser')).email).toBe('ada@example.com')
  })
  it('create one account per email, even for simultaneous requests', async () => {
    const body = { email: 'race@example.com', password: 'correct horse' }
    const answers = await Promise.all([1, 2, 3].map(() => new ApiClient(server.url).ask('register', { body })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })
  it('issue a new session id at every sign-in and never return a password', async () => {
    await new ApiClient(server.url).callOrThrow('register', { body: { ...person, email: 'often@example.com' } })
    const caller = new ApiClient(server.url)
    const answer = await caller.ask('login', { body: { email: 'OFTEN@example.com', password: 'correct horse' } })
    const first = caller.cookie
    await caller.ask('login', { body: { email: 'often@example.com', password: 'correct horse' } })
    expect(caller.cookie).not.toBe(first)
    expect(answer.text).not.toMatch(/argon2|password/i)
    expect(answer.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/)
  })
})

describe('a wrong email and a wrong password', () => {
  it('get the same answer after the same hashing work [S13]', async () => {
    const caller = new ApiClient(server.url)
    const verify = vi.spyOn(argon2, 'verify')
    const counts: number[] = []
    const answers = []
    for (const body of [
      { email: 'ada@example.com', password: 'wrong' },
      { email: 'nobody@example.com', password: 'wrong' },
    ]) {
      verify.mockClear()
      answers.push(await caller.ask('login', { body }))
      counts.push(verify.mock.calls.length)
    }
    verify.mockRestore()
    expect(counts).toEqual([1, 1])
    expect(answers.map(({ status, text }) => `${status} ${text}`)).toEqual(
      Array(2).fill('401 Wrong email or password. Please try again.'),
    )
  })
})

describe('guessing', () => {
  it('is limited per account, and the owner of another account still signs in', async () => {
    const victim = { email: 'victim@example.com', password: 'correct horse' }
    await new ApiClient(server.url).callOrThrow('register', { body: victim })
    const guess = () => new ApiClient(server.url).ask('login', { body: { ...victim, password: 'guess' } })
    const statuses: number[] = []
    for (let attempt = 0; attempt < 12; attempt++) statuses.push((await guess()).status)
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
    const last = await guess()
    expect(last.status).toBe(429)
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    const other = await new ApiClient(server.url).ask('login', {
      body: { email: 'ada@example.com', password: 'correct horse' },
    })
    expect(other.status).toBe(200)
  })
})

describe('a request for the current user', () => {
  const lenient = { headers: { Prefer: 'handling=lenient' } }

  it('answers 401 without a session', async () => {
    expect(await new ApiClient(server.url).ask('getUser')).toMatchObject({ status: 401, text: 'Please sign in.' })
  })
  it('answers 204 without a session when the client prefers that to an error', async () => {
    expect(await new ApiClient(server.url).ask('getUser', lenient)).toMatchObject({ status: 204, text: '' })
  })
  it('answers the signed-in user either way', async () => {
    const caller = await signedUp(server)
    expect(await caller.ask('getUser', lenient)).toMatchObject({
      status: 200,
      text: (await caller.ask('getUser')).text,
    })
  })
})

describe('the own name', () => {
  it('is changed in part or whole, and removed where it is empty', async () => {
    const caller = await signedUp(server)
    const named = async (body: object) => {
      const { firstName, lastName } = await caller.callOrThrow('changeOwnName', { body })
      return [firstName, lastName]
    }
    expect(await named({ firstName: ' Ada ', lastName: 'Lovelace' })).toEqual(['Ada', 'Lovelace'])
    expect(await named({ lastName: '' })).toEqual(['Ada', null])
    // Without a visible character it is none.
    expect(await named({ lastName: '\u3164\u200d' })).toEqual(['Ada', null])
    expect(await caller.callOrThrow('getUser')).toMatchObject({ firstName: 'Ada', lastName: null })
    const { status, text } = await caller.ask('changeOwnName', { body: { firstName: 'x'.repeat(121) } })
    expect([status, text]).toEqual([400, 'First name: First name must be 120 characters or fewer'])
  })
})

describe('sessions', () => {
  it('end after fourteen days [3.3]', async () => {
    const caller = await signedUp(server)
    server.clock.advance(14 * 24 * 3600 * 1000)
    expect((await caller.ask('getUser')).status).toBe(401)
  })
})
