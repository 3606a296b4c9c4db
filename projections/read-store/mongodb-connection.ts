/** One connection to MongoDB for all that a process keeps there: bounded in time, and named in our own errors. */
import { MongoClient, MongoError, MongoServerError, type Db } from 'mongodb'
import { StoreUnavailable } from '../../domain/event-store/port.ts'

/** How long a server may take to be found, to answer, and to give a connection free. */
const findWithinMs = 3_000
const answerWithinMs = 15_000
const mostConnections = 50

const duplicateKey = 11000
/** What a server says while it steps down, starts or stops. https://www.mongodb.com/docs/manual/reference/error-codes/ */
const passing = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436])

export interface MongoConnection {
  readonly db: Db
  /** Does something with the database. @throws StoreUnavailable when it can't be reached, answers too late, or this connection is closed */
  run<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Waits for what was begun. Closes at the last `close` of as many as there were `share`s, and one. */
  close(): Promise<void>
  /** For one more user, who closes it too. */
  share(): MongoConnection
}

/**
 * Credentials, TLS and the replica set are part of the address; the database is its path.
 * Does not wait for the server: what is asked of it while it is away fails with StoreUnavailable, and works again when it is back.
 */
export function connectMongo(url: string): MongoConnection {
  const client = new MongoClient(url, {
    appName: 'socialai',
    serverSelectionTimeoutMS: findWithinMs,
    connectTimeoutMS: findWithinMs,
    waitQueueTimeoutMS: findWithinMs,
    socketTimeoutMS: answerWithinMs,
    maxPoolSize: mostConnections,
    ignoreUndefined: true,
    // What was acknowledged survives the loss of any one server.
    writeConcern: { w: 'majority', journal: true },
    readPreference: 'primary',
  })
  const db = client.db()
  let users = 1

  const connection = (): MongoConnection => {
    const begun = new Set<Promise<unknown>>()
    let isOpen = true
    return {
      db,
      async run(work) {
        if (!isOpen) throw new StoreUnavailable('The connection to MongoDB is closed')
        const doing = work(db)
        begun.add(doing)
        try {
          return await doing
        } catch (error) {
          throw isAway(error) ? new StoreUnavailable("MongoDB can't be reached just now", { cause: error }) : error
        } finally {
          begun.delete(doing)
        }
      },
      async close() {
        if (!isOpen) return
        isOpen = false
        await Promise.allSettled(begun)
        users -= 1
        if (users === 0) await client.close()
      },
      share() {
        users += 1
        return connection()
      },
    }
  }
  return connection()
}

/** A taken id or unique value. FerretDB calls the latter an internal error where it comes from an update. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && (error.code === duplicateKey || (error.code === 1 && /UNIQUE constraint failed/.test(error.message)))

function isAway(error: unknown): boolean {
  if (error instanceof MongoServerError) return typeof error.code === 'number' && passing.has(error.code)
  return error instanceof MongoError
}

/** Texts that BSON can't carry are written in a form that it can; no two texts become the same one. */
export function toKey(text: string): string {
  if (!/[\uFFFD\0]/.test(text) && text.isWellFormed()) return text
  return text.replaceAll(/[\uFFFD\0]|\p{Surrogate}/gu, (unit) => `\uFFFD${unit.charCodeAt(0).toString(16)};`)
}
