/** Built servers with demo data: this checkout's, and that of another checkout to compare with. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { removeFolder, temporaryFolder } from '../domain/test/folder.ts'
import { freePort, startProcess, type ServerProcess } from '../e2e/process.ts'

/** The folder of a second checkout, in which `npm ci && npm run build` ran. */
const compared = process.env['COMPARE_WITH']

export interface Build {
  readonly name: string
  readonly project: string
  /** The earlier build: some of its screens differ. */
  readonly isCompared: boolean
}

export const demoOwner = { email: 'demo@northstar.example', password: 'north-star-demo' } as const

/** @throws Error for a checkout that isn't built */
export function builds(): readonly Build[] {
  const all = [
    { name: 'this build', project: resolve('.'), isCompared: false },
    ...(compared === undefined
      ? []
      : [{ name: basename(resolve(compared)), project: resolve(compared), isCompared: true }]),
  ]
  for (const { project } of all)
    if (!existsSync(join(project, 'dist/api/bin/start.js'))) throw new Error(`Run npm run build in ${project} first.`)
  return all
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
      await promisify(execFile)(process.execPath, [join(project, 'dist/api/bin/demo/main.js')], {
        cwd: project,
        env: { ...process.env, DATA_DIR: folder, PORT: String(port) },
      })
    const server = startProcess(port, folder, {}, 30_000, project)
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
