/** Faults of the pods: settings, secrets, probes, drain times, users, volumes, disruption budgets. */
import { logCheckpointerDefaults } from '../processes/log-checkpointer/log-checkpointer.ts'
import { approvalRemindersDefaults } from '../processes/approval-reminders/approval-reminders.ts'
import { collectorDefaults } from '../processes/collector/collector.ts'
import { plannerDefaults } from '../processes/planner/config.ts'
import { publisherDefaults } from '../processes/publisher/config.ts'
import { tokenRefresherDefaults } from '../processes/token-refresher/token-refresher.ts'
import { trialClockDefaults } from '../processes/trial-clock/trial-clock.ts'
import { roles } from '../composition/distributed.ts'
import { readConfig, settingNames } from '../runtime/config.ts'
import { closeWithinMs } from '../runtime/listen.ts'
import { secretReaders, type SecretName } from '../operations/secrets/values.ts'
import { isProgram, imageOf } from './compose-services.ts'
import { ofKind, type Manifest, type OfKind } from './kubernetes-kinds.ts'

const says = (holds: boolean, sentence: string) => (holds ? [] : [sentence])
const fileSuffix = '_FILE'
const mountedAt = '/run/secrets/'

/** Settings that name a secret: their values may come from files only. */
const secretOf = (setting: string) => setting.toLowerCase().replaceAll('_', '-')
const secrets: readonly SecretName[] = secretReaders['processes']?.secrets ?? []

const settingsOf = (all: readonly Manifest[]) => ofKind(all, 'ConfigMap')[0]?.data ?? {}

export function ofSettings(all: readonly Manifest[]): string[] {
  const settings = Object.entries(settingsOf(all))
  const files = settings.filter(([name]) => name.endsWith(fileSuffix))
  const values = Object.fromEntries(settings.filter(([name]) => !name.endsWith(fileSuffix)))
  const read = () => {
    try {
      readConfig(values)
      return []
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)]
    }
  }
  return [
    ...Object.keys(values)
      .filter((name) => !settingNames.includes(name))
      .map((name) => `nothing reads ${name}`),
    ...Object.keys(values)
      .filter((name) => (secrets as readonly string[]).includes(secretOf(name)))
      .map((name) => `${name} is a secret: it comes from a file`),
    ...secrets
      .filter(
        (secret) =>
          !files.some(([name, path]) => secretOf(name.slice(0, -5)) === secret && path === mountedAt + secret),
      )
      .map((secret) => `the processes are not told where ${secret} is`),
    ...says(values['NODE_ENV'] === 'production', 'the processes do not run as in production'),
    ...says(values['HOST'] === '0.0.0.0', 'the processes listen to themselves alone'),
    ...says(values['TRUST_PROXY'] === 'true', 'every caller has the address of the ingress'),
    ...read(),
  ]
}

/** How long a process takes at most to finish what it has begun: its background work, then open requests. */
const drainMs =
  closeWithinMs +
  Math.max(
    ...[
      publisherDefaults,
      collectorDefaults,
      plannerDefaults,
      tokenRefresherDefaults,
      logCheckpointerDefaults,
      trialClockDefaults,
      approvalRemindersDefaults,
    ].map(({ stopWithinMs }) => stopWithinMs),
  )
/** For stores, which close last. */
const closingMs = 10_000

export function ofDeployment(
  { metadata: { name }, spec }: OfKind<'Deployment'>,
  all: readonly Manifest[],
  { dockerfile }: { readonly dockerfile: string },
): string[] {
  const image = imageOf(dockerfile)
  const { PORT, UPLOAD_DIR } = settingsOf(all)
  const { template, selector } = spec
  const pod = template.spec
  const [one] = pod.containers
  const [, program, role] = one.command
  const check = (holds: boolean, sentence: string) => says(holds, `${name}: ${sentence}`)
  const port = one.ports.find((open) => open.name === 'http')?.containerPort
  const probes = [one.startupProbe, one.readinessProbe, one.livenessProbe]
  const mounts = new Map(one.volumeMounts.map((mount) => [mount.mountPath, mount]))
  const volumes = new Map(pod.volumes.map((volume) => [volume.name, volume]))
  const isScratch = (path: string) => volumes.get(mounts.get(path)?.name ?? '')?.emptyDir !== undefined
  const secretVolume = volumes.get(mounts.get('/run/secrets')?.name ?? '')
  const preStopMs = Number(one.lifecycle?.preStop.exec.command[1] ?? 0) * 1_000
  const writable = ['/tmp', image.env['DATA_DIR'] ?? '', ...(name === 'api' ? [UPLOAD_DIR ?? ''] : [])]
  const budgets = ofKind(all, 'PodDisruptionBudget').filter(({ spec: { selector: chosen } }) =>
    covers(chosen.matchLabels, template.metadata.labels),
  )
  const { runAsUser, runAsGroup, fsGroup } = pod.securityContext
  return [
    ...check(isProgram(program) && role === name && roles.some((known) => known === role), `there is no role ${role}`),
    ...check(covers(selector.matchLabels, template.metadata.labels), 'its selector does not choose its pods'),
    ...check(
      pod.topologySpreadConstraints.every((rule) => covers(rule.labelSelector.matchLabels, template.metadata.labels)),
      'its pods are not spread over machines',
    ),
    ...check(one.envFrom[0].configMapRef.name === ofKind(all, 'ConfigMap')[0]?.metadata.name, 'it has no settings'),
    ...check(String(port) === PORT, 'its port is not the one that it listens on'),
    ...check(
      probes.every((probe) => probe.httpGet.port === 'http'),
      'a probe asks another port',
    ),
    ...check(one.startupProbe.httpGet.path === '/readyz', 'a rollout does not wait until it is ready'),
    ...check(one.readinessProbe.httpGet.path === '/healthz', 'an outage of a store takes all pods away'),
    ...check(one.livenessProbe.httpGet.path === '/healthz', 'its health is not asked where it is'),
    ...check(
      pod.terminationGracePeriodSeconds * 1_000 >= preStopMs + drainMs + closingMs,
      'it is killed before it has finished what it has begun',
    ),
    ...check(name !== 'api' || preStopMs >= 5_000, 'requests come to it while it stops'),
    // The user of the Dockerfile, `node`: https://github.com/nodejs/docker-node/blob/main/24/bookworm-slim/Dockerfile.
    ...check(
      [runAsUser, runAsGroup, fsGroup].every((id) => id === 1000),
      'it runs as another user than node',
    ),
    ...writable.filter((path) => !isScratch(path)).map((path) => `${name}: it can't write to ${path}`),
    ...check(
      secretVolume?.secret !== undefined && mounts.get('/run/secrets')?.readOnly === true,
      'its secrets are not where its settings say',
    ),
    ...check(
      one.volumeMounts.every((mount) => volumes.has(mount.name)) && pod.volumes.length === one.volumeMounts.length,
      'a volume is missing, or mounted nowhere',
    ),
    ...check(budgets.length === 1, 'it has no disruption budget, or several'),
    ...check(
      budgets.every(({ spec: { maxUnavailable } }) => maxUnavailable < spec.replicas),
      'its disruption budget lets all pods go at once',
    ),
    ...check(
      spec.progressDeadlineSeconds > one.startupProbe.periodSeconds * (one.startupProbe.failureThreshold ?? 3),
      'a rollout is given up while a pod may still start',
    ),
  ]
}

/** Whether a selector chooses pods with such labels. */
export const covers = (selector: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>>): boolean =>
  Object.keys(selector).length > 0 && Object.entries(selector).every(([name, value]) => labels[name] === value)
