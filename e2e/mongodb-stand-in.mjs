/**
 * A MongoDB for tests, where no real one is: FerretDB, asked one command at a time.
 * `node e2e/mongodb-stand-in.mjs <ferretdb> <port>`
 *
 * FerretDB 1 looks for the documents of an update and changes them in two steps, between which another command can
 * come. MongoDB promises that an update of one document is one step, and compare-and-set is built on that promise:
 * taking turns keeps it. With TEST_MONGODB_CONCURRENT=1, commands take no turns: for a program that keeps the promise
 * itself.
 *
 * FerretDB starts again, with its data, where it ended or left a command without an answer: the tests of that moment
 * fail, not all that follow. It says so on the standard error output, and in the file that STAND_IN_LOG names.
 */
import { spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
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
/** Go collects its garbage when there is this much: at each doubling of a small heap, it takes a fifth of the time. */
const memory = { GOGC: 'off', GOMEMLIMIT: '512MiB' }
const takesTurns = process.env.TEST_MONGODB_CONCURRENT !== '1'
const maxAnswerMs = 30_000
const maxRestarts = 5

function say(sentence) {
  console.error(sentence)
  if (process.env.STAND_IN_LOG) appendFileSync(process.env.STAND_IN_LOG, `${sentence}\n`)
}

let ferret
let starts = 0
function start() {
  starts++
  let lastWords = ''
  ferret = spawn(program, options, { env: { ...process.env, ...memory }, stdio: ['ignore', 'ignore', 'pipe'] })
  ferret.stderr.on('data', (chunk) => (lastWords = (lastWords + chunk.toString()).slice(-2_000)))
  ferret.on('exit', (code, signal) => {
    say(`FerretDB ended with ${signal ?? code}: ${lastWords}`)
    if (starts > maxRestarts) process.exit(1)
    start()
  })
}
start()
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

/** The printable beginnings of a command: its name and its collection. */
const namesIn = (message) =>
  message
    .toString('latin1')
    .slice(16, 400)
    .match(/[\w.$-]{3,}/g)
    ?.slice(0, 12)
    .join(' ') ?? ''

/** The first command since FerretDB's last answer: its clients may have given up meanwhile. */
let asked = null
setInterval(() => {
  if (!asked || performance.now() - asked.at < maxAnswerMs) return
  say(`FerretDB did not answer within ${maxAnswerMs / 1_000} s: ${asked.names}`)
  asked = null
  ferret.kill('SIGKILL')
}, 1_000)

let turn = Promise.resolve()
createServer((client) => {
  const server = connect(behind, '127.0.0.1')
  let answered = null
  let isOpen = true
  const end = () => {
    if (asked?.of === client) asked = null
    answered?.()
    client.destroy()
    server.destroy()
  }
  // FerretDB goes on with the command of a client that is gone: its turn lasts until the answer.
  const close = () => {
    isOpen = false
    if (!answered) end()
  }
  client.setNoDelay(true).on('close', close).on('error', close)
  server.setNoDelay(true).on('close', end).on('error', end)
  messages(server, (message) => {
    asked = null
    client.write(message)
    answered?.()
    answered = null
    if (!isOpen) end()
  })
  messages(client, (message) => {
    if (!takesTurns) return server.write(message)
    turn = turn.then(
      () =>
        new Promise((resolve) => {
          if (!isOpen) return resolve()
          answered = resolve
          asked ??= { of: client, at: performance.now(), names: namesIn(message) }
          server.write(message)
        }),
    )
  })
}).listen(Number(port), '127.0.0.1')
