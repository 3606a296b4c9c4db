/** Derives the limit on connections from the process's limit on open files and sockets. */
import { ConfigError } from './config.ts'

/** For the log, stores, images, uploads and requests to networks. */
const reserved = 256
const minOpenFiles = 512
/** Far more than one installation has users; each idle connection costs some 20 kB. */
const maxConnections = 10_000

/**
 * The soft limit (`ulimit -n`), which Node raises to the hard one at start; infinity without a limit or when it is
 * unknown.
 */
export function openFilesLimit(): number {
  limit ??= limitNow()
  return limit
}

/** It doesn't change, and a report takes 10 ms. */
let limit: number | null = null

function limitNow(): number {
  const report: unknown = process.report.getReport()
  const limits = field(report, 'userLimits')
  const soft = field(field(limits, 'open_files'), 'soft')
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY
}

const field = (of: unknown, name: string): unknown =>
  typeof of === 'object' && of !== null && name in of ? (of as Record<string, unknown>)[name] : undefined

/** The number of connections that leaves enough descriptors for everything else. */
export const maxConnectionsOf = (openFiles: number): number => Math.min(maxConnections, openFiles - reserved)

/** @throws ConfigError when the process may open too few files to serve */
export function mustOpenEnoughFiles(openFiles = openFilesLimit()): void {
  if (openFiles >= minOpenFiles) return
  throw new ConfigError(
    `This process may open only ${openFiles} files and connections at once. Allow at least ${minOpenFiles} (ulimit -n ${minOpenFiles}), then start again.`,
  )
}
