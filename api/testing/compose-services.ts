/** Faults in the services that run our own image, judged by its Dockerfile and by the settings in code. */
import { existsSync } from 'node:fs'
import { roles } from '../composition/distributed.ts'
import { settingNames } from '../runtime/config.ts'
import type { Service } from './compose.ts'

/** The address of the machine, its port, and the port inside. */
export const published = /^(127\.0\.0\.1|\$\{\w+:-127\.0\.0\.1\}):(\d+):(\d+)$/

/** The program in dist/ that a source compiles to. */
export const isProgram = (path: string | undefined) =>
  path?.startsWith('dist/') === true && existsSync(path.replace(/^dist\//, '').replace(/\.js$/, '.ts'))
const isSetting = (name: string) =>
  settingNames.includes(name) || (name.endsWith('_FILE') && settingNames.includes(name.slice(0, -'_FILE'.length)))

/** Everything in one process, without a proxy. */
const embedded = 'dist/api/bin/start.js'
const commandLines = 'dist/api/bin/command.js'
const processes = 'dist/api/bin/process.js'

/** Where users are sent to: on a laptop the published port, in production an address that has to be given. */
const isUsersAddress = (address: string | undefined, reached: Service | undefined, isProduction: boolean) =>
  isProduction
    ? address?.startsWith('${PUBLIC_URL:?') === true
    : address === `\${PUBLIC_URL:-http://localhost:${published.exec(reached?.ports[0] ?? '')?.[2]}}`

export function ofOurs(
  name: string,
  one: Service,
  image: ReturnType<typeof imageOf>,
  proxy: Service | undefined,
  isProduction: boolean,
): string[] {
  const [node, program, role] = one.command ?? []
  const says = (holds: boolean, sentence: string) => (holds ? [] : [`${name}: ${sentence}`])
  const common = [
    ...says(image.stages.includes(one.build?.target ?? ''), `the Dockerfile has no stage ${one.build?.target}`),
    ...says(node === 'node' && isProgram(program), `there is no program ${program}`),
    ...Object.keys(one.environment)
      .filter((setting) => !isSetting(setting))
      .map((setting) => `${name}: nothing reads ${setting}`),
  ]
  // The service `secrets` ends when its work is done.
  if (program === commandLines)
    return [...common, ...says(one.restart === 'no', 'it repeats what failed instead of saying so')]
  const { PORT = '', UPLOAD_DIR, PUBLIC_URL, TRUST_PROXY } = one.environment
  const { DATA_DIR = '' } = image.env
  const mounts = one.volumes.map((volume) => volume.split(':')[1]).filter((path) => path !== '/run/secrets')
  const scratch = one.tmpfs.map((entry) => entry.split(':')[0])
  const health = /http:\/\/127\.0\.0\.1:(\d+)(\/\w+)/.exec(one.healthcheck?.test?.at(-1) ?? '')
  const reached = program === embedded ? one : proxy
  return [
    ...common,
    ...says(program !== processes || roles.some((known) => known === role), `there is no role ${role}`),
    ...says(health?.[1] === PORT && health[2] === '/healthz', 'its health is not asked where it is'),
    ...says(one.ports.length === 0 || TRUST_PROXY === undefined, 'it believes any address that a caller makes up'),
    ...says(isUsersAddress(PUBLIC_URL, reached, isProduction), 'users are not sent to where it is reached'),
    ...one.ports
      .filter((port) => published.exec(port)?.[3] !== PORT)
      .map((port) => `${name}: it does not listen on ${port}`),
    ...says(
      mounts.every((path) => path === DATA_DIR || path === UPLOAD_DIR),
      'its data are not kept where they are',
    ),
    ...says(
      UPLOAD_DIR === undefined || (mounts.includes(UPLOAD_DIR) && image.folders.includes(UPLOAD_DIR)),
      "its uploads have no disk of their own, or one that it can't write to",
    ),
    ...says(mounts.includes(DATA_DIR) || scratch.includes(DATA_DIR), "it can't write to its data folder"),
    // The user `node` of the base image: https://github.com/nodejs/docker-node/blob/main/24/bookworm-slim/Dockerfile
    ...says(one.user === '1000:1000', 'it runs as another user than node'),
  ]
}

export function imageOf(dockerfile: string) {
  const stages = [...dockerfile.matchAll(/^FROM \S+:\d+\.\d+\.\d+\S* AS (\w+)$/gm)].map(([, stage = '']) => stage)
  const env = Object.fromEntries(
    [...(/^ENV (.*)$/m.exec(dockerfile)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )
  const program = /^CMD \["node", "([^"]+)"\]$/m.exec(dockerfile)?.[1]
  const problems = [
    ...[...dockerfile.matchAll(/--from=(\w+)/g)]
      .filter(([, stage = '']) => !stages.includes(stage))
      .map(([, stage]) => `Dockerfile: there is no stage ${stage}`),
    ...Object.keys(env)
      .filter((name) => !isSetting(name))
      .map((name) => `Dockerfile: nothing reads ${name}`),
    ...(isProgram(program) ? [] : [`Dockerfile: there is no program ${program}`]),
    ...(/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1] === env['PORT']
      ? []
      : ['Dockerfile: it exposes another port than it listens on']),
    ...(/^VOLUME (\S+)$/m.exec(dockerfile)?.[1] === env['DATA_DIR']
      ? []
      : ['Dockerfile: its volume is not its data folder']),
    ...(/^USER node$/m.test(dockerfile) ? [] : ['Dockerfile: it runs as root']),
  ]
  const folders = /^RUN install -d -o node -g node -m 700 (.*)$/m.exec(dockerfile)?.[1]?.split(' ') ?? []
  return { stages, env, folders, problems }
}
