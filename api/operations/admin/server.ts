/**
 * The admin socket in the data folder: commands run inside the server while it has its files open. Only the folder's
 * owner can connect.
 */
import { chmod, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Logger } from 'pino'
import { z } from 'zod'
import { addressIn } from './address.ts'

/** A program that the server runs for a client's terminal. Returns an exit code. */
export type Program = (
  args: readonly string[],
  around: { readonly screen: Screen; readonly errors: Pick<Screen, 'write'>; readonly signal: AbortSignal },
) => Promise<number>

export interface Screen {
  readonly isTTY: boolean
  write(text: string): unknown
  /** Resolves when the client has read the output, or has disconnected. */
  taken(): Promise<void>
}

const request = z.object({ program: z.string(), args: z.array(z.string()).max(100), isTTY: z.boolean() })
const maxRequestCharacters = 100_000
/** How long a stopping server waits for a client to read the exit code. */
const lastWordsMs = 1_000

export interface AdminSocket {
  /** Stops running programs, waits for them, and closes the socket. */
  close(): Promise<void>
}

/** A server without an admin socket still serves requests: it logs the cause. */
export async function openAdminSocket(
  dataDir: string,
  programs: Readonly<Record<string, Program>>,
  log: Logger,
): Promise<AdminSocket> {
  const address = addressIn(dataDir)
  if (address === null) return { close: async () => undefined }
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  const server = createServer((socket) => {
    const serving = serve(socket, programs, stopping.signal, log).finally(() => running.delete(serving))
    running.add(serving)
  })
  try {
    // A crash left the file: the store's own lock proves that no other server is running here.
    await rm(address, { force: true })
    await listening(server, address)
    await chmod(address, 0o600)
  } catch (error) {
    log.warn({ err: error }, 'the command lines can not reach this server: stop it before you use them')
    server.close()
    return { close: async () => undefined }
  }
  return {
    async close() {
      server.close()
      stopping.abort()
      await Promise.all(running)
      await rm(address, { force: true })
    },
  }
}

const listening = (server: Server, address: string) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => resolve())
  })

async function serve(
  socket: Socket,
  programs: Readonly<Record<string, Program>>,
  stopping: AbortSignal,
  log: Logger,
): Promise<void> {
  const gone = new AbortController()
  socket.on('error', () => gone.abort())
  socket.on('close', () => gone.abort())
  const tell = (message: object) => {
    if (!socket.destroyed && socket.writable) socket.write(`${JSON.stringify(message)}\n`)
  }
  try {
    const { program, args, isTTY } = request.parse(JSON.parse(await firstLine(socket, stopping)))
    const run = programs[program]
    if (!run) return tell({ write: `This server has no program ${program}.\n`, exit: 2 })
    const screen: Screen = { isTTY, write: (text) => tell({ write: text }), taken: () => drained(socket, stopping) }
    const errors = { write: (text: string) => tell({ warn: text }) }
    tell({ exit: await run(args, { screen, errors, signal: AbortSignal.any([gone.signal, stopping]) }) })
  } catch (error) {
    log.error({ err: error }, 'a command line could not be served')
    tell({ write: `${error instanceof Error ? error.message : String(error)}\n`, exit: 4 })
  } finally {
    socket.end()
    if (stopping.aborted) socket.setTimeout(lastWordsMs, () => void socket.destroy())
  }
}

/** A stopping server does not wait for a client that doesn't read. */
const drained = (socket: Socket, stopping: AbortSignal): Promise<void> =>
  socket.writableNeedDrain && !stopping.aborted
    ? new Promise((resolve) => {
        const settle = () => {
          socket.off('drain', settle).off('close', settle)
          stopping.removeEventListener('abort', settle)
          resolve()
        }
        socket.on('drain', settle).on('close', settle)
        stopping.addEventListener('abort', settle)
      })
    : Promise.resolve()

async function firstLine(socket: Socket, stopping: AbortSignal): Promise<string> {
  let length = 0
  socket.on('data', (part: Buffer) => {
    length += part.length
    if (length > maxRequestCharacters) socket.destroy()
  })
  const hangUp = () => void socket.destroy()
  stopping.addEventListener('abort', hangUp)
  try {
    const lines = createInterface({ input: socket })
    // A broken connection does not end the line reader by itself.
    socket.once('close', () => lines.close())
    for await (const line of lines) return line
    throw new Error('Nothing was asked')
  } finally {
    stopping.removeEventListener('abort', hangUp)
  }
}
