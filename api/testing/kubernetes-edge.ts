/** Faults on the way to the API: services, the ingress and its annotations, network policies. */
import { maxImageBytes } from '../contract/limits.ts'
import { ofKind, type Manifest } from './kubernetes-kinds.ts'
import { covers } from './kubernetes-pods.ts'
import { closedPaths } from './proxy.ts'

const says = (holds: boolean, sentence: string) => (holds ? [] : [sentence])

const podsOf = (all: readonly Manifest[]) =>
  ofKind(all, 'Deployment').map(({ metadata: { name }, spec: { template } }) => ({
    name,
    labels: template.metadata.labels,
    ports: template.spec.containers[0].ports,
  }))

export function ofIngress(all: readonly Manifest[], nginx: string): string[] {
  const services = ofKind(all, 'Service')
  const pods = podsOf(all)
  const chosenBy = (selector: Readonly<Record<string, string>> | undefined) =>
    selector ? pods.filter(({ labels }) => covers(selector, labels)) : []
  const ofServices = services.flatMap(({ metadata: { name }, spec: { selector, ports } }) => [
    ...says(
      selector === undefined || chosenBy(selector).length === 1,
      `Service ${name}: it chooses no pods, or several`,
    ),
    ...ports.flatMap(({ targetPort }) =>
      says(
        chosenBy(selector).every((pod) => pod.ports.some((port) => port.name === targetPort)),
        `Service ${name}: its pods have no port ${targetPort}`,
      ),
    ),
  ])
  const ofRules = ofKind(all, 'Ingress').flatMap(({ metadata: { annotations = {} }, spec }) => {
    const publicUrl = ofKind(all, 'ConfigMap')[0]?.data['PUBLIC_URL'] ?? ''
    const host = URL.canParse(publicUrl) ? new URL(publicUrl).host : ''
    const paths = spec.rules.flatMap(({ http }) => http.paths)
    const isService = (name: string, port: string) =>
      services.some((service) => service.metadata.name === name && service.spec.ports.some((one) => one.name === port))
    const podsAt = (path: string) => {
      // The longest prefix counts.
      const [rule] = paths
        .filter((one) => path === one.path || path.startsWith(one.path.replace(/\/?$/, '/')))
        .sort((a, b) => b.path.length - a.path.length)
      const service = services.find(({ metadata: { name } }) => name === rule?.backend.service.name)
      return chosenBy(service?.spec.selector).map(({ name }) => name)
    }
    const bodyBytes = Number(/^(\d+)m$/.exec(annotations['nginx.org/client-max-body-size'] ?? '')?.[1] ?? 0) * 2 ** 20
    const readSeconds = Number(/^(\d+)s$/.exec(annotations['nginx.org/proxy-read-timeout'] ?? '')?.[1] ?? 0)
    const proxySeconds = Number(/proxy_read_timeout (\d+)s/.exec(nginx)?.[1] ?? Number.NaN)
    return [
      ...paths
        .filter(({ backend: { service } }) => !isService(service.name, service.port.name))
        .map(({ path, backend: { service } }) => `Ingress: ${path}: there is no Service ${service.name}`),
      ...says(
        podsAt('/api/clients').join() === 'api' && podsAt('/').join() === 'api',
        'Ingress: the API is not reached',
      ),
      ...closedPaths
        .filter((path) => podsAt(path).length > 0 || podsAt(`${path}/`).length > 0)
        .map((path) => `Ingress: ${path} is open to the public`),
      ...says(
        spec.rules.every((rule) => rule.host === host) && spec.tls.some(({ hosts }) => hosts.includes(host)),
        'Ingress: it serves another address than PUBLIC_URL, or not by TLS',
      ),
      ...says(publicUrl.startsWith('https://'), 'PUBLIC_URL is not the address of the TLS'),
      ...says(bodyBytes > maxImageBytes, 'Ingress: it refuses uploads that the API takes'),
      ...says(annotations['nginx.org/proxy-buffering'] === 'False', 'Ingress: live updates wait in its buffer'),
      ...says(readSeconds >= proxySeconds, 'Ingress: it ends live updates between two of their lines'),
    ]
  })
  return [...ofServices, ...says(ofKind(all, 'Ingress').length === 1, 'there is no Ingress'), ...ofRules]
}

export function ofNetwork(all: readonly Manifest[]): string[] {
  const policies = ofKind(all, 'NetworkPolicy')
  return podsOf(all).flatMap(({ name, labels, ports }) => {
    const chosen = policies.filter(({ spec: { podSelector } }) =>
      'matchLabels' in podSelector
        ? covers(podSelector.matchLabels, labels)
        : podSelector.matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? '')),
    )
    const opened = chosen.flatMap(({ spec: { ingress } }) => ingress.flatMap((rule) => rule.ports))
    return [
      ...says(chosen.length === 1, `${name}: every pod of the cluster reaches it`),
      ...opened
        .filter(({ port }) => !ports.some((one) => one.name === port))
        .map(({ port }) => `${name}: a network policy opens ${port}, which it does not have`),
      ...says(
        chosen.every(({ spec: { ingress } }) => ingress.every(({ from }) => from.length > 0)),
        `${name}: a network policy is open to all`,
      ),
    ]
  })
}
