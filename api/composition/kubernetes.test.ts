/**
 * The manifests of ops/kubernetes: valid by Kubernetes' schema, and in accord with code and image. No cluster runs.
 *
 * @module-tag long
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { manifestProblems, type Manifests } from '../testing/kubernetes.ts'

const folder = 'ops/kubernetes'
const manifests: Manifests = Object.fromEntries(
  readdirSync(folder).map((file) => [file, readFileSync(`${folder}/${file}`, 'utf8')]),
)
const around = {
  dockerfile: readFileSync('Dockerfile', 'utf8'),
  nginx: readFileSync('ops/nginx.conf', 'utf8'),
  version: (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version,
}

/** Every occurrence is replaced. */
function problemsWith(file: string, from: string, to: string): string {
  expect(manifests[file]).toContain(from)
  const changed = { ...manifests, [file]: manifests[file]?.replaceAll(from, to) ?? '' }
  return manifestProblems(changed, around).join('\n')
}

describe('The Kubernetes manifests', () => {
  it('fit the schema, each other, the code and the image', () => {
    expect(manifestProblems(manifests, around)).toEqual([])
  })

  it.each<readonly [string, string, string, string, RegExp]>([
    ['a number as a text', 'api.yml', 'replicas: 2', 'replicas: "2"', /api\.yml: data\/spec\/replicas must be integer/],
    [
      'no selector',
      'worker.yml',
      'selector: { matchLabels: { app.kubernetes.io/name: worker } }\n  template',
      'template',
      /must have required property selector/,
    ],
    ['an unknown field', 'api.yml', 'revisionHistoryLimit', 'revisionHistoryLimits', /revisionHistoryLimits/],
    ['an unknown kind', 'api.yml', 'kind: Service', 'kind: Servis', /v1 Servis is no kind/],
    [
      'no probe of readiness',
      'api.yml',
      'path: /readyz',
      'path: /ready',
      /api: a rollout does not wait until it is ready/,
    ],
    [
      'a probe of a missing route',
      'worker.yml',
      'path: /healthz',
      'path: /health',
      /worker: its health is not asked where it is/,
    ],
    [
      'a probe of another port',
      'worker.yml',
      'path: /healthz, port: http',
      'path: /healthz, port: metrics',
      /worker: a probe asks another port/,
    ],
    [
      'an API that goes with its store',
      'api.yml',
      'readinessProbe:\n            httpGet: { path: /healthz',
      'readinessProbe:\n            httpGet: { path: /readyz',
      /an outage of a store takes all pods away/,
    ],
    ['no limit of memory', 'api.yml', 'limits: { memory: 1Gi, ', 'limits: { ', /resources\.limits\.memory/],
    [
      'a secret as a value',
      'config.yml',
      'MONGODB_URL_FILE: /run/secrets/mongodb-url',
      'MONGODB_URL: mongodb://mongo:27017/socialai',
      /MONGODB_URL is a secret: it comes from a file/,
    ],
    [
      'a secret in the environment of a pod',
      'api.yml',
      '          ports: [{ name: http, containerPort',
      '          env: [{ name: SESSION_SECRET, value: x }]\n          ports: [{ name: http, containerPort',
      /Unknown field: env/,
    ],
    [
      'a secret that all may read',
      'api.yml',
      'defaultMode: 256',
      'defaultMode: 420',
      /files of secrets have mode 0400/,
    ],
    [
      'secrets elsewhere',
      'worker.yml',
      'mountPath: /run/secrets',
      'mountPath: /secrets',
      /worker: its secrets are not where its settings say/,
    ],
    [
      'a period of grace shorter than the drain',
      'worker.yml',
      'GracePeriodSeconds: 60',
      'GracePeriodSeconds: 20',
      /worker: it is killed before it has finished/,
    ],
    ['a drain without a pause', 'api.yml', '[sleep, "5"]', '[sleep, "0"]', /api: requests come to it while it stops/],
    [
      'a budget that chooses no pod',
      'worker.yml',
      'Allow\n  selector: { matchLabels: { app.kubernetes.io/name: worker',
      'Allow\n  selector: { matchLabels: { app.kubernetes.io/name: works',
      /worker: it has no disruption budget/,
    ],
    ['a budget that lets all go', 'api.yml', 'maxUnavailable: 1', 'maxUnavailable: 2', /lets all pods go at once/],
    ['a budget that keeps a node', 'api.yml', 'maxUnavailable: 1', 'maxUnavailable: 0', /no node can be emptied/],
    ['one pod', 'api.yml', 'replicas: 2', 'replicas: 1', /one pod alone is away/],
    [
      'a service of another port',
      'api.yml',
      'targetPort: http',
      'targetPort: web',
      /Service api: its pods have no port web/,
    ],
    [
      'a service without pods',
      'api.yml',
      'spec:\n  selector: { app.kubernetes.io/name: api }',
      'spec:\n  selector: { app.kubernetes.io/name: apis }',
      /Service api: it chooses no pods/,
    ],
    [
      'another port than the process has',
      'worker.yml',
      'containerPort: 3000',
      'containerPort: 8080',
      /worker: its port is not the one/,
    ],
    [
      'the newest image',
      'api.yml',
      'image: socialai:0.1.0',
      'image: socialai:latest',
      /an image has a version in full/,
    ],
    [
      'an image of another version',
      'kustomization.yml',
      'newTag: 0.1.0',
      'newTag: 0.0.9',
      /another version than the code/,
    ],
    ['root', 'worker.yml', 'runAsUser: 1000', 'runAsUser: 0', /worker: it runs as another user than node/],
    ['root, if the image is so', 'worker.yml', 'runAsNonRoot: true', 'runAsNonRoot: false', /runAsNonRoot/],
    [
      'a writable root',
      'api.yml',
      'readOnlyRootFilesystem: true',
      'readOnlyRootFilesystem: false',
      /the root file system is writable/,
    ],
    ['no place to write', 'api.yml', 'mountPath: /tmp', 'mountPath: /temp', /api: it can't write to \/tmp/],
    [
      'uploads without a volume',
      'api.yml',
      'mountPath: /uploads',
      'mountPath: /upload',
      /api: it can't write to \/uploads/,
    ],
    ['a volume without a bound', 'api.yml', 'emptyDir: { sizeLimit: 1Gi }', 'emptyDir: {}', /sizeLimit/],
    [
      'a token for Kubernetes',
      'worker.yml',
      'automountServiceAccountToken: false',
      'automountServiceAccountToken: true',
      /has a token for Kubernetes/,
    ],
    ['rights of root', 'worker.yml', 'drop: [ALL]', 'drop: [KILL]', /capabilities\.drop/],
    ['another program', 'worker.yml', 'process.js, worker', 'process.js, works', /worker: there is no role works/],
    ['a role without pods', 'kustomization.yml', 'worker.yml, ', '', /worker\.yml is left out/],
    ['a setting that nothing reads', 'config.yml', 'LOG_LEVEL', 'LOGS', /nothing reads LOGS/],
    ['a wrong setting', 'config.yml', 'LOG_LEVEL: info', 'LOG_LEVEL: loud', /LOG_LEVEL/],
    [
      'a secret that is not told',
      'config.yml',
      'METRICS_TOKEN_FILE: /run/secrets/metrics-token',
      '',
      /not told where metrics-token is/,
    ],
    [
      'an ingress that buffers',
      'ingress.yml',
      'proxy-buffering: "False"',
      'proxy-buffering: "True"',
      /live updates wait in its buffer/,
    ],
    ['an ingress that refuses uploads', 'ingress.yml', '-size: 16m', '-size: 1m', /refuses uploads/],
    ['an ingress that ends live updates', 'ingress.yml', 'timeout: 120s', 'timeout: 20s', /ends live updates/],
    ['metrics for the public', 'ingress.yml', 'path: /metrics', 'path: /metric', /\/metrics is open to the public/],
    [
      'obstacles for the public',
      'ingress.yml',
      'path: /readyz, pathType: Prefix, backend: { service: { name: closed',
      'path: /readyz, pathType: Prefix, backend: { service: { name: api',
      /\/readyz is open to the public/,
    ],
    ['a path to nowhere', 'ingress.yml', 'service: { name: api', 'service: { name: apis', /there is no Service apis/],
    [
      'another address than PUBLIC_URL',
      'config.yml',
      'social.example',
      'other.example',
      /another address than PUBLIC_URL/,
    ],
    [
      'an open API',
      'network.yml',
      'app.kubernetes.io/name: api }',
      'app.kubernetes.io/name: apis }',
      /api: every pod of the cluster reaches it/,
    ],
    [
      'an open worker',
      'network.yml',
      'values: [projector, worker]',
      'values: [projector]',
      /worker: every pod of the cluster reaches it/,
    ],
  ])('are refused with %s', (_, file, from, to, finding) => {
    expect(problemsWith(file, from, to)).toMatch(finding)
  })
})
