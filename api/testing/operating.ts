/**
 * Faults in what operators use: Prometheus' targets, the deployment page's commands, and the files that the image
 * leaves out.
 */
import { parse } from 'yaml'
import { z } from 'zod'
import { roles } from '../composition/distributed.ts'
import { secretsOf, type Holder } from './compose-secrets.ts'
import type { Used } from './images.ts'

interface Service extends Used, Holder {
  readonly networks: readonly string[]
  readonly env_file?: readonly { readonly path: string }[] | undefined
}
type Services = Readonly<Record<string, Service>>

/** https://prometheus.io/docs/prometheus/latest/configuration/configuration/ */
const prometheusFile = z.strictObject({
  global: z.strictObject({ scrape_interval: z.string().regex(/^\d+s$/) }),
  scrape_configs: z.tuple([
    z.strictObject({
      job_name: z.string(),
      metrics_path: z.literal('/metrics'),
      authorization: z.strictObject({ credentials_file: z.string() }),
      dns_sd_configs: z.tuple([
        z.strictObject({
          names: z.array(z.string()),
          type: z.literal('A'),
          port: z.int(),
          refresh_interval: z.string().regex(/^\d+s$/),
        }),
      ]),
    }),
  ]),
})

export function ofPrometheus(text: string, services: Services): string[] {
  const parsed = prometheusFile.safeParse(parse(text))
  if (!parsed.success)
    return parsed.error.issues.map(({ path, message }) => `prometheus.yml: ${path.join('.')}: ${message}`)
  const [
    {
      authorization,
      dns_sd_configs: [{ names, port }],
    },
  ] = parsed.data.scrape_configs
  const prometheus = services['prometheus']
  const running = Object.entries(services).flatMap(([name, { command }]) =>
    roles.some((role) => role === command?.[2]) ? [name] : [],
  )
  const [, token = ''] = /^\/run\/secrets\/([\w-]+)$/.exec(authorization.credentials_file) ?? []
  return [
    ...running.filter((name) => !names.includes(name)).map((name) => `prometheus: it doesn't ask ${name}`),
    ...names.filter((name) => !running.includes(name)).map((name) => `prometheus: there is no service ${name}`),
    ...names
      .filter((name) => services[name]?.environment['PORT'] !== String(port))
      .map((name) => `prometheus: ${name} is not at ${port}`),
    ...names
      .filter((name) => !services[name]?.networks.some((network) => prometheus?.networks.includes(network)))
      .map((name) => `prometheus: it shares no network with ${name}`),
    ...(prometheus && secretsOf(prometheus).includes(token) ? [] : ['prometheus: its token is not handed to it']),
    ...names
      .filter((name) => services[name]?.environment['METRICS_TOKEN_FILE'] !== authorization.credentials_file)
      .map((name) => `prometheus: ${name} wants another token`),
    ...(prometheus?.ports.every((published) => published.startsWith('127.0.0.1:'))
      ? []
      : ['prometheus: it answers other machines without a password']),
  ]
}

/** The page must name the command of each shape. */
export function ofDeploymentPage(page: string): string[] {
  return [
    /^docker compose up$/m,
    /^npm run secrets -- \.\/secrets$/m,
    /docker compose -f docker-compose\.yml -f docker-compose\.production\.yml up -d/,
    /docker compose -f docker-compose\.yml -f docker-compose\.production\.yml -f docker-compose\.cluster\.yml up -d/,
  ]
    .filter((command) => !command.test(page))
    .map((command) => `docs/deployment.md: it doesn't say ${command.source}`)
}

/** The image must not contain the keys and settings of its builder. */
export function ofIgnored(dockerignore: string, files: readonly string[], services: Services): string[] {
  const ignored = dockerignore.split('\n').map((line) => line.replace(/\/$/, ''))
  const local = [
    'secrets',
    ...files.map((file) => file.replace(/^\.\//, '').split('/')[0] ?? ''),
    ...Object.values(services).flatMap(({ env_file: given }) => (given ?? []).map(({ path }) => path)),
  ]
  return [...new Set([...local, '.env*', 'data', '.git', 'node_modules'])]
    .filter((name) => !ignored.includes(name))
    .map((name) => `.dockerignore: ${name} comes into the image`)
}
