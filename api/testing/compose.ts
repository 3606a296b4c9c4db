/** What is wrong with the files that start the product in containers, judged by what the code and the images read. */
import { existsSync } from 'node:fs'
import { z } from 'zod'
import { roles } from '../composition/distributed.ts'
import { mergedCompose } from './compose-merge.ts'
import { schemaProblems } from './compose-schema.ts'
import { ofSecrets } from './compose-secrets.ts'
import { imageOf, ofOurs, published } from './compose-services.ts'
import { ofOthers } from './images.ts'
import { ofDeploymentPage, ofIgnored, ofPrometheus } from './operating.ts'
import { ofProxy } from './proxy.ts'
import { ofSandbox, ofStores } from './compose-addresses.ts'

export interface Deployment {
  readonly compose: string
  readonly production: string
  readonly cluster: string
  readonly dockerfile: string
  readonly nginx: string
  readonly prometheus: string
  readonly readme: string
  readonly dockerignore: string
}

const values = z.record(z.string(), z.string()).default({})
const texts = z.array(z.string()).default([])
const span = z.string().regex(/^\d+(s|m)$/)
/** The part of the Compose specification that these files use, and what is asked of every service. */
const service = z.strictObject({
  image: z.string().regex(/^[\w./-]+:v?\d+\.\d+\.\d+(-[\w.]+)?$/, 'a version in full'),
  build: z.strictObject({ context: z.literal('.'), target: z.string() }).optional(),
  command: z.array(z.string()).optional(),
  entrypoint: z.array(z.string()).optional(),
  environment: values,
  env_file: z.array(z.strictObject({ path: z.string(), required: z.literal(false) })).optional(),
  secrets: texts,
  networks: texts,
  network_mode: z.literal('none').optional(),
  volumes: texts,
  ports: z.array(z.string().regex(published, 'a port of 127.0.0.1, unless told otherwise')).default([]),
  profiles: texts,
  depends_on: z
    .record(
      z.string(),
      z.strictObject({ condition: z.enum(['service_started', 'service_healthy', 'service_completed_successfully']) }),
    )
    .default({}),
  deploy: z.strictObject({ replicas: z.int().min(2) }).optional(),
  healthcheck: z
    .strictObject({
      disable: z.literal(true).optional(),
      test: z.array(z.string()).optional(),
      interval: span.optional(),
      timeout: span.optional(),
      retries: z.int().optional(),
      start_period: span.optional(),
    })
    .optional(),
  restart: z.enum(['unless-stopped', 'on-failure', 'no']),
  read_only: z.literal(true),
  user: z.string().regex(/^\d+:\d+$/, 'a user and a group by number'),
  tmpfs: z.array(z.string()),
  cap_drop: z.tuple([z.literal('ALL')]),
  cap_add: z.array(z.string()).optional(),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  stop_grace_period: span.optional(),
})
const composition = z.strictObject({
  name: z.string(),
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.strictObject({ internal: z.boolean().optional() })),
  volumes: z.record(z.string(), z.strictObject({})),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })).default({}),
})
export type Service = z.output<typeof service>
export type Services = Readonly<Record<string, Service>>

/** A sentence for each fault, of every file and of every way to lay them over each other. */
export function problemsOf(deployment: Deployment): string[] {
  const { compose, production, cluster, dockerfile } = deployment
  const named = (name: string, problems: readonly string[]) => problems.map((problem) => `${name}: ${problem}`)
  const invalid = Object.entries({ compose, production, cluster }).flatMap(([name, text]) =>
    named(name, schemaProblems(text)),
  )
  if (invalid.length > 0) return invalid
  return [
    ...named('laptop', ofShape([compose], deployment)),
    ...named('production', ofShape([compose, production], deployment)),
    ...named('laptop with a cluster', ofShape([compose, cluster], deployment)),
    ...named('production with a cluster', ofShape([compose, production, cluster], deployment)),
    ...imageOf(dockerfile).problems,
  ]
}

function ofShape(files: readonly string[], deployment: Deployment): string[] {
  const { dockerfile, nginx, prometheus, readme, dockerignore, production } = deployment
  const parsed = composition.safeParse(mergedCompose(files))
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  const { services, networks, volumes, secrets } = parsed.data
  const isProduction = files.includes(production)
  const image = imageOf(dockerfile)
  const all = Object.entries(services)
  const taken = all.flatMap(([, { ports }]) => ports.map((port) => published.exec(port)?.[2] ?? ''))
  return [
    ...all.flatMap(([name, one]) => [
      ...ofReferences(name, one, parsed.data),
      ...ofScratch(name, one),
      ...(one.build ? ofOurs(name, one, image, services['proxy'], isProduction) : ofOthers(name, one, services)),
    ]),
    ...taken.filter((port, index) => taken.indexOf(port) !== index).map((port) => `${port} is published twice`),
    ...missing(Object.keys(networks), fromList(all.flatMap(([, one]) => one.networks)), 'unused network'),
    ...missing(Object.keys(volumes), fromList(all.flatMap(([, one]) => sourcesOf(one))), 'unused volume'),
    ...missing(Object.keys(secrets), fromList(all.flatMap(([, one]) => one.secrets)), 'unused secret'),
    ...missing(roles, fromList(all.map(([, { command }]) => command?.[2] ?? '')), 'there is no service for the role'),
    ...roles
      .filter((role) => (services[role]?.deploy?.replicas ?? 1) !== (isProduction ? 2 : 1))
      .map((role) => `${role}: there are ${isProduction ? 'fewer than two of it' : 'several of it'}`),
    ...ofSecrets(services, secrets),
    ...ofStores(services),
    ...ofSandbox(services, isProduction),
    ...ofProxy(nginx, services),
    ...ofPrometheus(prometheus, services),
    ...ofDeploymentPage(readme),
    ...ofIgnored(
      dockerignore,
      Object.values(secrets).map(({ file: path }) => path),
      services,
    ),
  ]
}

const sourcesOf = ({ volumes }: Service) => volumes.map((volume) => volume.split(':')[0] ?? '')

function ofReferences(name: string, one: Service, { services, networks, volumes, secrets }: Composition): string[] {
  const sources = sourcesOf(one)
  return [
    ...missing(one.networks, networks, `${name}: there is no network`),
    ...missing(one.secrets, secrets, `${name}: there is no secret`),
    ...missing(
      sources.filter((from) => !from.startsWith('.')),
      volumes,
      `${name}: there is no volume`,
    ),
    ...sources
      .filter((from) => from.startsWith('.') && !existsSync(from))
      .map((from) => `${name}: there is no file ${from}`),
    ...missing(Object.keys(one.depends_on), services, `${name}: there is no service`),
    ...Object.entries(one.depends_on).flatMap(([other, { condition }]) => [
      ...(condition === 'service_healthy' && !services[other]?.healthcheck?.test
        ? [`${name}: ${other} has no health check`]
        : []),
      ...(services[other]?.profiles.some((profile) => !one.profiles.includes(profile))
        ? [`${name}: ${other} starts with another profile only`]
        : []),
    ]),
  ]
}
type Composition = z.output<typeof composition>

/**
 * Docker mounts a tmpfs as root's, unless it has `uid`, `gid` and `mode`:
 * https://github.com/compose-spec/compose-spec/issues/278, https://github.com/docker/cli/issues/698.
 */
function ofScratch(name: string, { user, tmpfs }: Service): string[] {
  const [uid, gid] = user.split(':')
  if (uid === '0') return []
  return tmpfs
    .filter((entry) => !new RegExp(`^/[^:]+:uid=${uid},gid=${gid},mode=(1777|0700)$`).test(entry))
    .map((entry) => `${name}: it can't write to ${entry}`)
}

const missing = (wanted: readonly string[], known: object, sentence: string): string[] =>
  wanted.filter((name) => !Object.hasOwn(known, name)).map((name) => `${sentence} ${name}`)
const fromList = (list: readonly string[]) => Object.fromEntries(list.map((name) => [name, true]))
