/** Runs a program in the server that has the data folder open. */
import { createConnection, type Socket } from 'node:net'
import { z } from 'zod'
import { addressIn } from './address.ts'

const message = z.object({ write: z.string().optional(), warn: z.string().optional(), exit: z.number().optional() })

interface Here {
  /** The client waits for the result of `write`, so that output is not produced faster than it is read. */
  readonly screen: { readonly isTTY?: boolean; write(text: string): unknown }
  /** Default: the screen. */
  readonly errors?: { write(text: string): unknown }
  readonly signal?: AbortSignal
}

/** The exit code; null when no server has the folder open. An abort here stops the program in the server. */
export async function throughServer(
  dataDir: string,
  program: string,
  args: readonly string[],
  { screen, errors = screen, signal }: Here,
): Promise<number | null> {
  const address = addressIn(dataDir)
  const socket = address === null ? null : await connected(address)
  if (!socket) return null
  const stop = () => void socket.destroy()
  signal?.addEventListener('abort', stop)
  try {
    socket.write(`${JSON.stringify({ program, args, isTTY: screen.isTTY === true })}\n`)
    for await (const line of linesOf(socket)) {
      const { write, warn, exit } = message.parse(JSON.parse(line))
      if (write !== undefined) await screen.write(write)
      if (warn !== undefined) await errors.write(warn)
      if (exit !== undefined) return exit
    }
    if (signal?.aborted) return 130
    await errors.write(
      'The server went away in the middle, so this was not finished. Look whether it runs, then try again.\n',
    )
    return 3
  } finally {
    signal?.removeEventListener('abort', stop)
    socket.destroy()
  }
}

/** Ends when the server ends the stream or the connection breaks: the exit code is then missing. */
async function* linesOf(socket: Socket): AsyncGenerator<string> {
  let rest = ''
  try {
    for await (const part of socket) {
      const lines = (rest + String(part)).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } catch {
    // The connection broke.
  }
}

/** Null: no server is listening. */
const connected = (address: string): Promise<Socket | null> =>
  new Promise((resolve) => {
    const socket = createConnection(address)
    // A character may arrive in two chunks.
    socket.setEncoding('utf8')
    socket.once('connect', () => resolve(socket))
    // Also handles later errors: the caller notices a broken connection by the missing exit code.
    socket.on('error', () => resolve(null))
  })
