/** Faults of the manifests in ops/kubernetes, judged by Kubernetes' schema and by what the code and the image read. */
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { roles } from '../composition/distributed.ts'
import { ofIngress, ofNetwork } from './kubernetes-edge.ts'
import { manifest, ofKind } from './kubernetes-kinds.ts'
import { kubernetesProblems } from './kubernetes-schema.ts'
import { ofDeployment, ofSettings } from './kubernetes-pods.ts'

/** By file name. */
export type Manifests = Readonly<Record<string, string>>

const kustomization = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  namespace: z.string(),
  resources: z.array(z.string()),
  images: z.array(
    z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string().regex(/^\d+\.\d+\.\d+/, 'a version') }),
  ),
})

const sentences = (name: string, { issues }: z.ZodError) =>
  issues.map(({ path, message }) => `${name}: ${path.join('.')}: ${message}`)

/** A sentence for each fault. @param around the files that the manifests have to fit */
export function manifestProblems(
  manifests: Manifests,
  around: { readonly dockerfile: string; readonly nginx: string; readonly version: string },
): string[] {
  const { 'kustomization.yml': index = '', ...files } = manifests
  const known = kustomization.safeParse(parse(index))
  if (!known.success) return sentences('kustomization.yml', known.error)
  const documents = Object.entries(files).flatMap(([file, text]) =>
    parseAllDocuments(text).map((document) => ({ file, value: document.toJS() as object })),
  )
  const invalid = documents.flatMap(({ file, value }) => kubernetesProblems(value).map((one) => `${file}: ${one}`))
  if (invalid.length > 0) return invalid
  const parsed = documents.map(({ file, value }) => ({ file, result: manifest.safeParse(value) }))
  const wrong = parsed.flatMap(({ file, result }) => (result.success ? [] : sentences(file, result.error)))
  if (wrong.length > 0) return wrong
  const all = parsed.flatMap(({ result }) => (result.success ? [result.data] : []))
  const deployments = ofKind(all, 'Deployment')
  const { namespace, resources, images } = known.data
  return [
    ...Object.keys(files)
      .filter((file) => !resources.includes(file))
      .map((file) => `kustomization.yml: ${file} is left out`),
    ...resources.filter((file) => !(file in files)).map((file) => `kustomization.yml: there is no file ${file}`),
    ...(ofKind(all, 'Namespace').some(({ metadata: { name } }) => name === namespace)
      ? []
      : [`there is no namespace ${namespace}`]),
    ...images
      .filter(({ newTag }) => newTag !== around.version)
      .map(() => 'the image has another version than the code'),
    ...roles
      .filter((role) => !deployments.some(({ metadata: { name } }) => name === role))
      .map((role) => `there is no Deployment of the role ${role}`),
    ...ofSettings(all),
    ...deployments.flatMap((one) => ofDeployment(one, all, around)),
    ...ofIngress(all, around.nginx),
    ...ofNetwork(all),
  ]
}
