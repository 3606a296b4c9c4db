/**
 * The schema of the Kubernetes API, from the package `kubernetes-models` 4.5.1 (MIT): it has the fields of Kubernetes
 * 1.31 (`supplementalGroupsPolicy` is new there). It allows unknown fields, which `kubernetes.ts` refuses.
 */
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { Namespace } from 'kubernetes-models/v1/Namespace'
import { Service } from 'kubernetes-models/v1/Service'

/** By `apiVersion` and `kind`. The constructors' types want what is only known after the validation. */
const models: Readonly<Record<string, new (data: never) => { validate(): void }>> = {
  'apps/v1 Deployment': Deployment,
  'networking.k8s.io/v1 Ingress': Ingress,
  'networking.k8s.io/v1 NetworkPolicy': NetworkPolicy,
  'policy/v1 PodDisruptionBudget': PodDisruptionBudget,
  'v1 ConfigMap': ConfigMap,
  'v1 Namespace': Namespace,
  'v1 Service': Service,
}

/** Violations of the schema, one sentence each. */
export function kubernetesProblems(manifest: { readonly apiVersion?: unknown; readonly kind?: unknown }): string[] {
  const name = `${String(manifest.apiVersion)} ${String(manifest.kind)}`
  const Model = models[name]
  if (!Model) return [`${name} is no kind that is known here`]
  try {
    new Model(manifest as never).validate()
    return []
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).split(', ')
  }
}
