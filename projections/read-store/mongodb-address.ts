/**
 * Checks before startup whether MongoDB's driver accepts a URL with a database name, so that the error can name the
 * setting.
 */
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

/** Loaded only when a URL is set: the embedded shape starts without the driver. */
const driver = () => createRequire(import.meta.url)('mongodb') as typeof import('mongodb')
