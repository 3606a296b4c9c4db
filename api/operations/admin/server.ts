/**
 * The admin socket in the data folder: commands run inside the server while it has its files open. Only the folder's
 * owner can connect. `POST /programs/{name}` runs one; its answer is a stream of JSON lines, the last with the exit
 * code.
 */
import { once } from 'node:events'
import { chmod, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import express, { type NextFunction, type Request, type Response } from 'express'
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

const requestBody = z.object({ args: z.array(z.string()).max(100), isTTY: z.boolean() })
const maxRequestBytes = 100_000
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
  const app = express().disable('x-powered-by')
  app.post(
    '/programs/:name',
    express.json({ limit: maxRequestBytes, inflate: false }),
    (request: Request<{ name: string }>, response) => {
      const serving = serve(request, response, programs, stopping.signal, log).finally(() => running.delete(serving))
      running.add(serving)
    },
  )
  app.use((error: Error & { status?: number }, _: Request, response: Response, __: NextFunction) => {
    send(response.status(error.status ?? 500), { warn: `${error.message}\n`, exit: 4 })
    response.end()
  })
  const server = createServer(app)
  try {
    // A crash left the file: the store's own lock proves that no other server is running here.
    await rm(address, { force: true })
    server.listen(address)
    await once(server, 'listening')
    await chmod(address, 0o600)
  } catch (error) {
    log.warn({ err: error }, 'Could not open the admin socket: stop this server before you use a command line')
    server.close()
    return { close: async () => undefined }
  }
  return {
    async close() {
      server.close()
      stopping.abort()
      await Promise.all(running)
      // Also ends connections without a whole request.
      setTimeout(() => server.closeAllConnections(), lastWordsMs).unref()
      // A disk that became read-only keeps the file; the next start removes it.
      await rm(address, { force: true }).catch((error: unknown) =>
        log.warn({ err: error }, 'Could not remove the admin socket'),
      )
    },
  }
}

const send = (response: Response, message: object): void => {
  if (response.writable) response.write(`${JSON.stringify(message)}\n`)
}

async function serve(
  request: Request<{ name: string }>,
  response: Response,
  programs: Readonly<Record<string, Program>>,
  stopping: AbortSignal,
  log: Logger,
): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const signal = AbortSignal.any([gone.signal, stopping])
  response.type('application/x-ndjson')
  try {
    const run = programs[request.params.name]
    const body = requestBody.safeParse(request.body)
    if (!run || !body.success) {
      const sentence = run ? 'The request is malformed.' : `This server has no command ${request.params.name}.`
      return send(response.status(run ? 400 : 404), { write: `${sentence}\n`, exit: 2 })
    }
    // From here on, a client that disconnects stops the program, even before its first output.
    response.flushHeaders()
    const screen: Screen = {
      isTTY: body.data.isTTY,
      write: (text) => send(response, { write: text }),
      taken: () => drained(response, signal),
    }
    const errors = { write: (text: string) => send(response, { warn: text }) }
    send(response, { exit: await run(body.data.args, { screen, errors, signal }) })
  } catch (error) {
    log.error({ err: error }, 'Could not serve a command line')
    send(response, { write: `${error instanceof Error ? error.message : String(error)}\n`, exit: 4 })
  } finally {
    response.end()
  }
}

/** A stopping server does not wait for a client that doesn't read. */
async function drained(response: Response, signal: AbortSignal): Promise<void> {
  if (response.writableNeedDrain && !signal.aborted) await once(response, 'drain', { signal }).catch(() => undefined)
}
