/** Runs a program in the server that has the data folder open. */
import { request, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
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
  const answer = address === null ? null : await post(address, program, { args, isTTY: screen.isTTY === true })
  if (!answer) return null
  const stop = () => void answer.destroy()
  signal?.addEventListener('abort', stop)
  try {
    for await (const line of linesOf(answer)) {
      const { write, warn, exit } = message.parse(JSON.parse(line))
      if (write !== undefined) await screen.write(write)
      if (warn !== undefined) await errors.write(warn)
      if (exit !== undefined) return exit
    }
    if (signal?.aborted) return 130
    await errors.write(
      'The server closed the connection before the command ended. Check whether the server is running, then try again.\n',
    )
    return 3
  } finally {
    signal?.removeEventListener('abort', stop)
    answer.destroy()
  }
}

/** Ends when the server ends the stream or the connection breaks: the exit code is then missing. */
async function* linesOf(answer: IncomingMessage): AsyncGenerator<string> {
  const lines = createInterface({ input: answer, crlfDelay: Infinity })
  // A broken connection does not end the line reader by itself.
  answer.on('error', () => lines.close()).on('close', () => lines.close())
  yield* lines
}

/** Null: no server is listening. */
const post = (socketPath: string, program: string, body: object): Promise<IncomingMessage | null> =>
  new Promise((resolve) => {
    const sent = JSON.stringify(body)
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }
    request({ socketPath, path: `/programs/${encodeURIComponent(program)}`, method: 'POST', headers })
      .on('response', resolve)
      .on('error', () => resolve(null))
      .end(sent)
  })
