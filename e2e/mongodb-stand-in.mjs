/**
 * A MongoDB for tests, where no real one is: FerretDB, asked one command at a time. `node e2e/mongodb-stand-in.mjs
 * <ferretdb> <port>`.
 * FerretDB 1 looks for the documents of an update and changes them in two steps, between which another command can
 * come.
 * MongoDB promises that an update of one document is one step, and compare-and-set is built on that promise: taking
 * turns keeps it.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [, , program = 'ferretdb', port = '27017'] = process.argv
const behind = await new Promise((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const free = probe.address().port
    probe.close(() => resolve(free))
  })
})
const folder = mkdtempSync(join(tmpdir(), 'mongodb-'))
const options = [
  '--handler=sqlite',
  `--sqlite-url=file:${folder}/?_pragma=synchronous(off)`,
  '--telemetry=disable',
  `--state-dir=${folder}`,
  `--listen-addr=127.0.0.1:${behind}`,
  '--debug-addr=-',
  '--log-level=error',
]
const ferret = spawn(program, options, { stdio: ['ignore', 'ignore', 'inherit'] })
ferret.on('exit', () => process.exit(1))
const end = () => {
  ferret.removeAllListeners('exit')
  ferret.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
}
process.on('SIGTERM', end)
process.on('SIGINT', end)

/**
 * The wire protocol's messages begin with their own length.
 * https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/
 */
function messages(socket, take) {
  let rest = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (let length; rest.length >= 4 && rest.length >= (length = rest.readInt32LE(0)); rest = rest.subarray(length))
      take(rest.subarray(0, length))
  })
}

let turn = Promise.resolve()
createServer((client) => {
  const server = connect(behind, '127.0.0.1')
  let answered = () => {}
  let isOpen = true
  const close = () => {
    isOpen = false
    answered()
    client.destroy()
    server.destroy()
  }
  for (const socket of [client, server]) socket.setNoDelay(true).on('close', close).on('error', close)
  messages(server, (message) => {
    client.write(message)
    answered()
  })
  messages(client, (message) => {
    turn = turn.then(
      () =>
        new Promise((resolve) => {
          if (!isOpen) return resolve()
          answered = resolve
          server.write(message)
        }),
    )
  })
}).listen(Number(port), '127.0.0.1')
