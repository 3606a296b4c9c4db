/** How many files and sockets this process may have open at once, and what follows for connections. */
import { ConfigError } from './config.ts'

/** For log, stores, images, uploads and calls to networks. */
const reserved = 256
const minOpenFiles = 512
/** Far more than there are people at one installation; each costs some 20 kB while it is idle. */
const maxConnections = 10_000

/** The soft limit (`ulimit -n`), which Node raises to the hard one at start; infinity where there is none or it can't be told. */
export function openFilesLimit(): number {
  const report: unknown = process.report.getReport()
  const limits = field(report, 'userLimits')
  const soft = field(field(limits, 'open_files'), 'soft')
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY
}

const field = (of: unknown, name: string): unknown =>
  typeof of === 'object' && of !== null && name in of ? (of as Record<string, unknown>)[name] : undefined

/** Connections that leave enough descriptors for everything else. */
export const maxConnectionsOf = (openFiles: number): number => Math.min(maxConnections, openFiles - reserved)

/** @throws ConfigError when the process may open too few files to serve */
export function mustOpenEnoughFiles(openFiles = openFilesLimit()): void {
  if (openFiles >= minOpenFiles) return
  throw new ConfigError(
    `This process may open only ${openFiles} files and connections at once. Allow at least ${minOpenFiles} (ulimit -n ${minOpenFiles}), then start again.`,
  )
}
