/** Separate databases for tests, on the server at `TEST_MONGODB_URL`. */
import { randomUUID } from 'node:crypto'
import { connectMongo } from '../mongodb-connection.ts'

const url = process.env['TEST_MONGODB_URL']
export const hasMongo = url !== undefined
/** Its updates of one document are atomic, as MongoDB's are: every command is sent at once, in production's time. */
const isConcurrent = process.env['TEST_MONGODB_CONCURRENT'] === '1'

export function newDatabase(): string {
  const address = new URL(url ?? 'mongodb://127.0.0.1')
  address.pathname = `/test_${randomUUID().replaceAll('-', '')}`
  // The stand-in for MongoDB takes one command at a time for all tests together, so that each waits for the others.
  if (!isConcurrent && !address.searchParams.has('socketTimeoutMS'))
    address.searchParams.set('socketTimeoutMS', '15000')
  return address.href
}

export async function dropDatabase(address: string): Promise<void> {
  const connection = connectMongo(address)
  await connection.run((db) => db.dropDatabase())
  await connection.close()
}
