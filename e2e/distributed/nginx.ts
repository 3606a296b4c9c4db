/** nginx with the composition's configuration; only its listening address and its upstream are replaced. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { endWithTest } from '../children.ts'
import { freePort } from '../../domain/test/free-port.ts'

const program = process.env['TEST_NGINX'] ?? 'nginx'
const { status } = spawnSync(program, ['-v'])
export const hasNginx = status === 0

export interface Proxy {
  readonly url: string
  close(): Promise<void>
}

const said = (text: string, from: string | RegExp, to: string): string => {
  const changed = text.replace(from, to)
  if (changed === text) throw new Error(`ops/nginx.conf doesn't say ${String(from)} any more`)
  return changed
}

/** @param behind the API's port on this machine */
export async function startNginx(behind: number): Promise<Proxy> {
  const folder = await temporaryFolder('nginx')
  const port = await freePort()
  const own = await readFile('ops/nginx.conf', 'utf8')
  // nginx before 1.27 does not resolve an upstream's names again, and Docker's name server is missing here.
  const here = said(
    said(said(own, /\n\s*resolver [^;]+;/, ''), 'api:3000 resolve', `127.0.0.1:${behind}`),
    'listen 8080',
    `listen 127.0.0.1:${port}`,
  )
  await writeFile(join(folder, 'default.conf'), here)
  const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ')
  const main = `daemon off; master_process off; pid ${folder}/pid; error_log stderr warn; events {} http { access_log off; ${scratch} include ${folder}/default.conf; }`
  await writeFile(join(folder, 'nginx.conf'), main)

  const child = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  endWithTest(child)
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
  const ended = once(child, 'exit')
  await listens(port, () => {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${complaints}`)
  })
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      child.kill('SIGTERM')
      await ended
      await removeFolder(folder)
    },
  }
}

async function listens(port: number, check: () => void): Promise<void> {
  for (;;) {
    check()
    const socket = connect(port, '127.0.0.1')
    const isThere = await new Promise<boolean>((resolve) =>
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false)),
    )
    socket.destroy()
    if (isThere) return
  }
}
