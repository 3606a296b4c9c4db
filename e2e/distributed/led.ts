/** The projections that a process leads, by its Prometheus metrics. */
import { projections } from '../../projections/registry.ts'
import type { Cluster, Member } from './cluster.ts'

export async function ledBy(cluster: Cluster, member: Member): Promise<string[]> {
  const text = await cluster.metrics(member)
  return [...text.matchAll(/^socialai_projection_live\{\w+="([^"]+)"\} 1$/gm)].map(([, name = '']) => name).sort()
}

/** Whether two processes lead each projection exactly once, and each of them leads some. */
export async function isShared(cluster: Cluster, one: Member, other: Member): Promise<boolean> {
  const [its, theirs] = [await ledBy(cluster, one), await ledBy(cluster, other)]
  const all = projections.map(({ name }) => name).sort()
  return its.length > 0 && theirs.length > 0 && JSON.stringify([...its, ...theirs].sort()) === JSON.stringify(all)
}
