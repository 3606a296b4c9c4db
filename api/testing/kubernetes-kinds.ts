/** The parts of the Kubernetes API that the manifests use: everything else is refused, and so is a typing error. */
import { z } from 'zod'

const labels = z.record(z.string(), z.string())
const selector = z.strictObject({ matchLabels: labels })
const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string(), port: z.string() }),
  periodSeconds: z.int(),
  timeoutSeconds: z.int().optional(),
  failureThreshold: z.int().optional(),
})
const sizes = z.strictObject({ cpu: z.string().optional(), memory: z.string(), 'ephemeral-storage': z.string() })
const container = z.strictObject({
  name: z.string(),
  image: z.string().regex(/^[\w./-]+:v?\d+\.\d+\.\d+(-[\w.]+)?$/, 'an image has a version in full'),
  imagePullPolicy: z.enum(['IfNotPresent', 'Always']),
  command: z.tuple([z.literal('node'), z.string(), z.string()]),
  // Values of settings come from the ConfigMap and from files, never from here.
  envFrom: z.tuple([z.strictObject({ configMapRef: z.strictObject({ name: z.string() }) })]),
  ports: z.array(z.strictObject({ name: z.string(), containerPort: z.int() })),
  startupProbe: probe,
  readinessProbe: probe,
  livenessProbe: probe,
  lifecycle: z
    .strictObject({
      preStop: z.strictObject({
        exec: z.strictObject({ command: z.tuple([z.literal('sleep'), z.string().regex(/^\d+$/)]) }),
      }),
    })
    .optional(),
  resources: z.strictObject({ requests: sizes, limits: sizes }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true, 'the root file system is writable'),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(
    z.strictObject({ name: z.string(), mountPath: z.string(), readOnly: z.literal(true).optional() }),
  ),
})
const pod = z.strictObject({
  automountServiceAccountToken: z.literal(false, 'the pod has a token for Kubernetes'),
  enableServiceLinks: z.literal(false),
  terminationGracePeriodSeconds: z.int(),
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.int(),
    runAsGroup: z.int(),
    fsGroup: z.int(),
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  topologySpreadConstraints: z.array(
    z.strictObject({
      maxSkew: z.int(),
      topologyKey: z.string(),
      whenUnsatisfiable: z.literal('ScheduleAnyway'),
      labelSelector: selector,
    }),
  ),
  containers: z.tuple([container]),
  volumes: z.array(
    z.strictObject({
      name: z.string(),
      secret: z
        .strictObject({
          secretName: z.string(),
          defaultMode: z.literal(0o400, 'files of secrets have mode 0400'),
        })
        .optional(),
      emptyDir: z.strictObject({ sizeLimit: z.string() }).optional(),
    }),
  ),
})
const metadata = z.strictObject({ name: z.string(), labels: labels.optional(), annotations: labels.optional() })
const of = <Kind extends string, Version extends string>(apiVersion: Version, kind: Kind) => ({
  apiVersion: z.literal(apiVersion),
  kind: z.literal(kind),
  metadata,
})
const backend = z.strictObject({
  service: z.strictObject({ name: z.string(), port: z.strictObject({ name: z.string() }) }),
})
const namespaces = z.array(z.strictObject({ namespaceSelector: selector }))
export const manifest = z.discriminatedUnion('kind', [
  z.strictObject({ ...of('v1', 'Namespace') }),
  z.strictObject({ ...of('v1', 'ConfigMap'), data: labels }),
  z.strictObject({
    ...of('apps/v1', 'Deployment'),
    spec: z.strictObject({
      replicas: z.int().min(2, 'one pod alone is away while it is replaced'),
      revisionHistoryLimit: z.int(),
      progressDeadlineSeconds: z.int(),
      strategy: z.strictObject({
        type: z.literal('RollingUpdate'),
        rollingUpdate: z.strictObject({ maxSurge: z.int().min(1), maxUnavailable: z.literal(0) }),
      }),
      selector,
      template: z.strictObject({ metadata: z.strictObject({ labels }), spec: pod }),
    }),
  }),
  z.strictObject({
    ...of('v1', 'Service'),
    spec: z.strictObject({
      selector: labels.optional(),
      ports: z.array(z.strictObject({ name: z.string(), port: z.int(), targetPort: z.string().optional() })),
    }),
  }),
  z.strictObject({
    ...of('policy/v1', 'PodDisruptionBudget'),
    spec: z.strictObject({
      maxUnavailable: z.int().min(1, 'no node can be emptied'),
      unhealthyPodEvictionPolicy: z.literal('AlwaysAllow'),
      selector,
    }),
  }),
  z.strictObject({
    ...of('networking.k8s.io/v1', 'Ingress'),
    spec: z.strictObject({
      ingressClassName: z.string(),
      tls: z.array(z.strictObject({ hosts: z.array(z.string()), secretName: z.string() })),
      rules: z.array(
        z.strictObject({
          host: z.string(),
          http: z.strictObject({
            paths: z.array(z.strictObject({ path: z.string(), pathType: z.literal('Prefix'), backend })),
          }),
        }),
      ),
    }),
  }),
  z.strictObject({
    ...of('networking.k8s.io/v1', 'NetworkPolicy'),
    spec: z.strictObject({
      podSelector: z.union([
        selector,
        z.strictObject({
          matchExpressions: z.array(
            z.strictObject({ key: z.string(), operator: z.literal('In'), values: z.array(z.string()) }),
          ),
        }),
      ]),
      policyTypes: z.tuple([z.literal('Ingress')]),
      ingress: z.array(
        z.strictObject({
          from: namespaces,
          ports: z.array(z.strictObject({ protocol: z.literal('TCP'), port: z.string() })),
        }),
      ),
    }),
  }),
])
export type Manifest = z.output<typeof manifest>
export type OfKind<Kind extends Manifest['kind']> = Extract<Manifest, { readonly kind: Kind }>

export const ofKind = <Kind extends Manifest['kind']>(all: readonly Manifest[], kind: Kind): OfKind<Kind>[] =>
  all.filter((one): one is OfKind<Kind> => one.kind === kind)
