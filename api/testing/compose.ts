/** What is wrong with the files that start the product in containers, judged by what the code reads. */
import { existsSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { settingNames } from '../runtime/config.ts'
import { roles } from '../composition/distributed.ts'
import { ofOthers } from './images.ts'
import { ofIgnored, ofPrometheus, ofReadme } from './operating.ts'
import { ofProxy } from './proxy.ts'

export interface Deployment {
  readonly compose: string
  readonly dockerfile: string
  readonly nginx: string
  readonly prometheus: string
  readonly readme: string
  readonly dockerignore: string
}

const names = z.union([z.array(z.string()), z.record(z.string(), z.unknown()).transform(Object.keys)]).default([])
const values = z.record(z.string(), z.string()).default({})
/** On which addresses of the machine, at which port, of which port inside. */
const published = /^(?:(127\.0\.0\.1|\$\{\w+:-127\.0\.0\.1\}):)?(\d+):(\d+)$/
const span = z.string().regex(/^\d+(s|m)$/)
/**
 * What the compose specification knows of a service, as far as it is used here.
 * https://github.com/compose-spec/compose-spec
 */
const service = z.strictObject({
  image: z.string().regex(/^[\w./-]+:v?\d+\.\d+\.\d+(-[\w.]+)?$/, 'a version in full'),
  build: z.strictObject({ context: z.literal('.'), target: z.string() }).optional(),
  command: z.array(z.string()).optional(),
  entrypoint: z.array(z.string()).optional(),
  environment: values,
  env_file: z.array(z.strictObject({ path: z.string(), required: z.boolean() })).optional(),
  secrets: names,
  networks: names,
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string().regex(published)).default([]),
  profiles: z.array(z.string()).default([]),
  depends_on: z
    .record(
      z.string(),
      z.strictObject({ condition: z.enum(['service_started', 'service_healthy', 'service_completed_successfully']) }),
    )
    .default({}),
  deploy: z.strictObject({ replicas: z.int().min(2) }).optional(),
  healthcheck: z
    .strictObject({
      test: z.array(z.string()),
      interval: span,
      timeout: span,
      retries: z.int().optional(),
      start_period: span.optional(),
    })
    .optional(),
  restart: z.enum(['unless-stopped', 'on-failure']),
  read_only: z.literal(true),
  user: z.string().optional(),
  tmpfs: z.array(z.string()),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  stop_grace_period: span.optional(),
})
const file = z.strictObject({
  name: z.string(),
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.strictObject({ internal: z.boolean().optional() })),
  volumes: z.record(z.string(), z.strictObject({})),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
})
type Service = z.output<typeof service>

/** A sentence for each thing that doesn't fit; none is the aim. */
export function problemsOf({ compose, dockerfile, nginx, prometheus, readme, dockerignore }: Deployment): string[] {
  const parsed = file.safeParse(
    Object.fromEntries(Object.entries(parse(compose, { merge: true })).filter(([key]) => !key.startsWith('x-'))),
  )
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  const { services, networks, volumes, secrets } = parsed.data
  const image = imageOf(dockerfile)
  const of = (name: string, one: Service): string[] => [
    ...missing(one.networks, networks, `${name}: there is no network`),
    ...missing(one.secrets, secrets, `${name}: there is no secret`),
    ...missing(
      one.volumes.map((volume) => volume.split(':')[0] ?? '').filter((from) => !from.startsWith('.')),
      volumes,
      `${name}: there is no volume`,
    ),
    ...one.volumes.flatMap((volume) =>
      volume.startsWith('.') && !existsSync(volume.split(':')[0] ?? '')
        ? [`${name}: there is no file for ${volume}`]
        : [],
    ),
    ...missing(Object.keys(one.depends_on), services, `${name}: there is no service`),
    ...Object.entries(one.depends_on).flatMap(([other, { condition }]) =>
      condition === 'service_healthy' && !services[other]?.healthcheck ? [`${name}: ${other} has no health check`] : [],
    ),
    ...Object.values(one.environment)
      .concat(one.entrypoint ?? [])
      .flatMap((value) =>
        [...value.matchAll(/\/run\/secrets\/([\w-]+)/g)].flatMap(([, secret = '']) =>
          one.secrets.includes(secret) ? [] : [`${name}: ${secret} is not handed to it`],
        ),
      ),
    ...(one.build ? ofOurs(name, one, image, services['proxy']) : ofOthers(name, one, services)),
  ]
  const taken = Object.values(services).flatMap(({ ports }) => ports.map((port) => published.exec(port)?.[2] ?? ''))
  return [
    ...Object.entries(services).flatMap(([name, one]) => of(name, one)),
    ...taken.filter((port, index) => taken.indexOf(port) !== index).map((port) => `${port} is published twice`),
    ...missing(
      Object.keys(volumes),
      fromList(
        Object.values(services).flatMap(({ volumes: used }) => used.map((volume) => volume.split(':')[0] ?? '')),
      ),
      'nobody uses the volume',
    ),
    ...missing(
      Object.keys(secrets),
      fromList(Object.values(services).flatMap((one) => one.secrets)),
      'nobody uses the secret',
    ),
    ...missing(
      roles,
      fromList(Object.values(services).map(({ command }) => command?.[2] ?? '')),
      'there is no service for the role',
    ),
    ...ofProxy(nginx, services),
    ...ofPrometheus(prometheus, services),
    ...ofReadme(readme, Object.keys(secrets), services),
    ...ofIgnored(
      dockerignore,
      Object.values(secrets).map(({ file: path }) => path),
      services,
    ),
    ...image.problems,
  ]
}

const missing = (wanted: readonly string[], known: object, sentence: string): string[] =>
  wanted.filter((name) => !Object.hasOwn(known, name)).map((name) => `${sentence} ${name}`)
const fromList = (list: readonly string[]) => Object.fromEntries(list.map((name) => [name, true]))

/** The program in dist/ that a source compiles to. */
const isProgram = (path: string | undefined) =>
  path?.startsWith('dist/') === true && existsSync(path.replace(/^dist\//, '').replace(/\.js$/, '.ts'))
const isSetting = (name: string) =>
  settingNames.includes(name) || (name.endsWith('_FILE') && settingNames.includes(name.slice(0, -'_FILE'.length)))

/** Everything in one process, without a proxy. */
const embedded = 'dist/api/bin/start.js'
const people = (reached: Service | undefined) =>
  `\${PUBLIC_URL:-http://localhost:${published.exec(reached?.ports[0] ?? '')?.[2]}}`

function ofOurs(name: string, one: Service, image: ReturnType<typeof imageOf>, proxy: Service | undefined): string[] {
  const [node, program, role] = one.command ?? []
  const { PORT = '', UPLOAD_DIR } = one.environment
  const mounts = one.volumes.map((volume) => volume.split(':')[1])
  const health = /http:\/\/127\.0\.0\.1:(\d+)(\/\w+)/.exec(one.healthcheck?.test.at(-1) ?? '')
  return [
    ...(image.stages.includes(one.build?.target ?? '')
      ? []
      : [`${name}: the Dockerfile has no stage ${one.build?.target}`]),
    ...(node === 'node' && isProgram(program) ? [] : [`${name}: there is no program ${program}`]),
    ...(role === undefined || roles.some((known) => known === role) ? [] : [`${name}: there is no role ${role}`]),
    ...Object.keys(one.environment)
      .filter((setting) => !isSetting(setting))
      .map((setting) => `${name}: nothing reads ${setting}`),
    ...(health?.[1] === PORT && health[2] === '/healthz' ? [] : [`${name}: its health is not asked where it is`]),
    ...(one.ports.length > 0 && one.environment['TRUST_PROXY'] !== undefined
      ? [`${name}: it believes whatever address a caller makes up`]
      : []),
    ...(people(one.command?.[1] === embedded ? one : proxy) === one.environment['PUBLIC_URL']
      ? []
      : [`${name}: people are not sent to where it is reached`]),
    ...one.ports
      .filter((port) => published.exec(port)?.[3] !== PORT)
      .map((port) => `${name}: it does not listen on ${port}`),
    ...(mounts.every((path) => path === image.env['DATA_DIR'] || path === UPLOAD_DIR)
      ? []
      : [`${name}: its data are not kept where they are`]),
    ...(UPLOAD_DIR === undefined || (mounts.includes(UPLOAD_DIR) && image.folders.includes(UPLOAD_DIR))
      ? []
      : [`${name}: its uploads have no disk of their own, or one that it can't write to`]),
    ...(mounts.includes(image.env['DATA_DIR'] ?? '') || one.tmpfs.includes(image.env['DATA_DIR'] ?? '')
      ? []
      : [`${name}: it can't write to its data folder`]),
    ...(one.user === 'node' ? [] : [`${name}: it runs as root`]),
  ]
}

function imageOf(dockerfile: string) {
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
