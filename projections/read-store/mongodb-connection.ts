/** A process's one connection to MongoDB: with timeouts, and with our own error names. */
import {
  MongoBulkWriteError,
  MongoClient,
  MongoError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoTopologyClosedError,
  type Db,
} from 'mongodb'
import { StoreUnavailable } from '../../domain/event-store/port.ts'

/** Timeout for finding a server, and for getting a free connection. */
const findWithinMs = 3_000
/**
 * Timeout for a user's request as a whole, unless the URL sets `socketTimeoutMS`; for background work, the timeout of
 * each command.
 */
const answerWithinMs = 2_500
const patientMs = 15_000
const closeWithinMs = 2_000
const maxConnections = 50
const lookEveryMs = 10_000

const duplicateKey = 11000
/**
 * Error codes of a server that steps down, starts or stops. https://www.mongodb.com/docs/manual/reference/error-codes/
 */
const passing = new Set([6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436])
const lostSocket = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
])

export interface MongoConnection {
  /**
   * Runs work within the timeout of a user's request; the server may still complete it after the timeout.
   * @throws StoreUnavailable when it can't be reached, answers too late, or this connection is closed
   */
  run<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** The same for slow background work: batches, indexes. The timeout applies to each command, not to all together. */
  runLong<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Waits for the work in progress. The connection closes with the last user: one plus the number of `share` calls. */
  close(): Promise<void>
  /** Adds a user of the connection, which also has to close it. */
  share(): MongoConnection
}

/**
 * Credentials, TLS and the replica set are part of the URL; the database is its path.
 * Does not wait for the server: requests during an outage fail with StoreUnavailable, and succeed once it is back.
 */
export function connectMongo(url: string): MongoConnection {
  let now = watched(url)
  let users = 1
  const peopleWaitMs = Number(/[?&]socketTimeoutMS=(\d+)/i.exec(url)?.[1] ?? answerWithinMs)

  /** Requests on the old client fail with StoreUnavailable. */
  const renew = () => {
    void now.client.close(true).catch(() => {})
    now = watched(url)
  }
  const connection = (): MongoConnection => {
    const begun = new Set<Promise<unknown>>()
    let isOpen = true
    const run = async <T>(work: (db: Db) => Promise<T>, bounded: (answer: Promise<T>) => Promise<T>): Promise<T> => {
      if (!isOpen) throw new StoreUnavailable('The connection to MongoDB is closed')
      const used = now
      const doing = bounded(work(used.client.db()))
      begun.add(doing)
      try {
        return await doing
      } catch (error) {
        if (!isAway(error)) throw error
        if (used === now && isOpen && used.isDone(error)) renew()
        throw new StoreUnavailable("MongoDB can't be reached just now", { cause: error })
      } finally {
        begun.delete(doing)
      }
    }
    return {
      run: (work) => run(work, (answer) => within(peopleWaitMs, answer)),
      runLong: (work) => run(work, (answer) => answer),
      async close() {
        if (!isOpen) return
        isOpen = false
        await Promise.allSettled(begun)
        users -= 1
        // Unanswered requests to a silent server don't delay the close.
        if (users === 0)
          await Promise.race([now.client.close(), new Promise((resolve) => setTimeout(resolve, closeWithinMs).unref())])
      },
      share() {
        users += 1
        return connection()
      },
    }
  }
  return connection()
}

/**
 * A client that also detects when its driver will never find its server again: the driver (7.8.0) waits for ever for
 * the answer to a heartbeat whose connection was closed at the wrong moment, and stays closed when its very first check
 * found no server.
 */
function watched(url: string) {
  const client = new MongoClient(url, {
    appName: 'socialai',
    serverSelectionTimeoutMS: findWithinMs,
    connectTimeoutMS: findWithinMs,
    heartbeatFrequencyMS: lookEveryMs,
    waitQueueTimeoutMS: findWithinMs,
    socketTimeoutMS: patientMs,
    maxPoolSize: maxConnections,
    ignoreUndefined: true,
    // Acknowledged writes survive the loss of any one server.
    writeConcern: { w: 'majority', journal: true },
    readPreference: 'primary',
  })
  /** The deadline of each server's heartbeat answer. */
  const due = new Map<string, number>()
  client.on('serverHeartbeatStarted', ({ connectionId, awaited }) =>
    due.set(connectionId, performance.now() + 2 * findWithinMs + (awaited ? lookEveryMs : 0)),
  )
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => due.delete(connectionId))
  client.on('serverHeartbeatFailed', ({ connectionId }) => due.delete(connectionId))
  client.on('serverClosed', ({ address }) => due.delete(address))
  return {
    client,
    isDone: (error: unknown) =>
      error instanceof MongoTopologyClosedError || [...due.values()].some((at) => at < performance.now()),
  }
}

/** A duplicate id or unique value. FerretDB reports the latter as an internal error when it comes from an update. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError &&
  (error.code === duplicateKey || (error.code === 1 && /UNIQUE constraint failed/.test(error.message)))

/** The driver's own limit applies to all of a connection's commands, and its `timeoutMS` has no effect (7.8.0). */
async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new MongoOperationTimeoutError('No answer in time')), ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

function isAway(error: unknown): boolean {
  // A connection that is lost in a bulk write: the driver wraps its own error as if the server had answered (7.8.0).
  if (error instanceof MongoBulkWriteError && error.errorResponse instanceof Error) return isAway(error.errorResponse)
  if (error instanceof MongoServerError) return typeof error.code === 'number' && passing.has(error.code)
  // A connection lost between two commands fails with the socket's error, not the driver's.
  return (
    error instanceof MongoError || (error instanceof Error && 'code' in error && lostSocket.has(String(error.code)))
  )
}

/** Encodes texts that BSON can't store; the encoding is unambiguous. */
export function toKey(text: string): string {
  if (!/[\uFFFD\0]/.test(text) && text.isWellFormed()) return text
  return text.replaceAll(/[\uFFFD\0]|\p{Surrogate}/gu, (unit) => `\uFFFD${unit.charCodeAt(0).toString(16)};`)
}
