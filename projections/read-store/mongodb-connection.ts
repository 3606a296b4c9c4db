/** One connection to MongoDB for all that a process keeps there: bounded in time, and named in our own errors. */
import {
  MongoClient,
  MongoError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoTopologyClosedError,
  type Db,
} from 'mongodb'
import { StoreUnavailable } from '../../domain/event-store/port.ts'

/** How long a server may take to be found, and to give a connection free. */
const findWithinMs = 3_000
/** How long something that a person waits for may take altogether, unless the address says so (`socketTimeoutMS`), and how long one command of what nobody waits for. */
const answerWithinMs = 2_500
const patientMs = 15_000
const closeWithinMs = 2_000
const maxConnections = 50
const lookEveryMs = 10_000

const duplicateKey = 11000
/** What a server says while it steps down, starts or stops. https://www.mongodb.com/docs/manual/reference/error-codes/ */
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
   * Does something with the database, in a time that a person would wait; what was asked may come about all the same after that.
   * @throws StoreUnavailable when it can't be reached, answers too late, or this connection is closed
   */
  run<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** The same for what may take long: batches, indexes, whatever nobody waits for. Each of its commands is bounded, not all of them together. */
  runLong<T>(work: (db: Db) => Promise<T>): Promise<T>
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
  let now = watched(url)
  let users = 1
  const peopleWaitMs = Number(/[?&]socketTimeoutMS=(\d+)/i.exec(url)?.[1] ?? answerWithinMs)

  /** Whoever waits on the old one is told that it is away. */
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
        // What a silent server still owes is not waited for.
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
 * A client, and whether it will never find its server again: the driver (7.8.0) waits for ever for the answer to a heartbeat
 * whose connection is closed at the wrong moment, and stays closed when its very first look found nothing.
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
    // What was acknowledged survives the loss of any one server.
    writeConcern: { w: 'majority', journal: true },
    readPreference: 'primary',
  })
  /** When each server's heartbeat has to be answered at the latest. */
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

/** A taken id or unique value. FerretDB calls the latter an internal error where it comes from an update. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError &&
  (error.code === duplicateKey || (error.code === 1 && /UNIQUE constraint failed/.test(error.message)))

/** The driver's own limit is one for all of a connection's commands, and its `timeoutMS` has no effect (7.8.0). */
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
  if (error instanceof MongoServerError) return typeof error.code === 'number' && passing.has(error.code)
  // A connection that was lost between two commands fails as the socket does, not as the driver does.
  return (
    error instanceof MongoError || (error instanceof Error && 'code' in error && lostSocket.has(String(error.code)))
  )
}

/** Texts that BSON can't carry are written in a form that it can; no two texts become the same one. */
export function toKey(text: string): string {
  if (!/[\uFFFD\0]/.test(text) && text.isWellFormed()) return text
  return text.replaceAll(/[\uFFFD\0]|\p{Surrogate}/gu, (unit) => `\uFFFD${unit.charCodeAt(0).toString(16)};`)
}
