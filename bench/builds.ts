/** Built servers with demo data: this checkout's, and that of another checkout to compare with. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { removeFolder, temporaryFolder } from '../domain/test/folder.ts'
import { freePort } from '../domain/test/free-port.ts'
import { startProcess, type ServerProcess } from '../e2e/process.ts'

/** The folder of a second checkout, in which `npm ci && npm run build` ran. */
const compared = process.env['COMPARE_WITH']

const startsWithinMs = 30_000

export interface Build {
  readonly name: string
  readonly project: string
  /** The earlier build: some of its screens differ. */
  readonly isCompared: boolean
}

export const demoOwner = { email: 'demo@northstar.example', password: 'north-star-demo' } as const

export function builds(): readonly Build[] {
  const all = [
    { name: 'this build', project: resolve('.'), isCompared: false },
    ...(compared === undefined
      ? []
      : [{ name: basename(resolve(compared)), project: resolve(compared), isCompared: true }]),
  ]
  for (const { project } of all) programIn(project, 'start.js')
  return all
}

/** Earlier builds have their programs in another folder. @throws Error for a checkout that isn't built */
function programIn(project: string, name: string): string {
  const found = ['dist/api/bin', 'dist/api'].map((folder) => join(project, folder, name)).find(existsSync)
  if (found === undefined) throw new Error(`Run npm run build in ${project} first.`)
  return found
}

/** Runs with a started server, and removes its data afterwards. */
export async function withServer<T>(
  { project }: Build,
  data: 'demo' | 'empty',
  run: (server: ServerProcess) => Promise<T>,
): Promise<T> {
  const folder = await temporaryFolder('socialai-bench')
  const port = await freePort()
  try {
    if (data === 'demo')
      await promisify(execFile)(process.execPath, [programIn(project, 'demo/main.js')], {
        cwd: project,
        env: { ...process.env, DATA_DIR: folder, PORT: String(port) },
      })
    const server = startProcess(port, folder, {}, startsWithinMs, programIn(project, 'start.js'))
    await server.ready
    try {
      return await run(server)
    } finally {
      await server.stop()
    }
  } finally {
    await removeFolder(folder)
  }
}
