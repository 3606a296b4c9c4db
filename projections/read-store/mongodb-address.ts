/** Whether MongoDB's driver understands an address that names a database: asked before anything starts, so that the setting can be named. */
import { createRequire } from 'node:module'

const withDatabase = /^mongodb(\+srv)?:\/\/[^/]+\/[^/?]/

export function isMongoAddress(address: string): boolean {
  if (!withDatabase.test(address)) return false
  try {
    const { MongoClient } = driver()
    new MongoClient(address).db()
    return true
  } catch {
    return false
  }
}

/** Only where there is an address: the embedded shape starts without it. */
const driver = () => createRequire(import.meta.url)('mongodb') as typeof import('mongodb')
