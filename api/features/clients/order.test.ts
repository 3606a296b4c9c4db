import { afterAll, beforeAll, expect, it } from 'vitest'
import { owner, testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.remove())

it('Clients are listed as a dictionary sorts their names [P7.2]', async () => {
  const caller = await owner(server)
  for (const name of ['Zoo', 'Ärzte', 'apple', 'Shop 10', 'Shop 2', 'Äpfel'])
    await caller.callOrThrow('addClient', { body: { name } })
  const listed = await caller.callOrThrow('listClients')
  expect(listed.map(({ name }) => name)).toEqual(['Äpfel', 'apple', 'Ärzte', 'Shop 2', 'Shop 10', 'Zoo'])
})
