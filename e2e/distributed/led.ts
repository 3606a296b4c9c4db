/** The projections that a process leads, by its Prometheus metrics, and what keeps two processes from sharing them. */
import { projections } from '../../projections/registry.ts'
import type { Cluster, Member } from './cluster.ts'

export async function ledBy(cluster: Cluster, member: Member): Promise<string[]> {
  const text = await cluster.metrics(member)
  return [...text.matchAll(/^socialai_projection_live\{\w+="([^"]+)"\} 1$/gm)].map(([, name = '']) => name).sort()
}

/**
 * Why two processes don't share the projections: each must be led by exactly one, and each process must lead some.
 * Empty when they do; otherwise with what the processes report themselves.
 */
export async function unshared(cluster: Cluster, one: Member, other: Member): Promise<string[]> {
  const its = await ledBy(cluster, one)
  const theirs = await ledBy(cluster, other)
  const wrong = [
    ...projections
      .map(({ name }) => ({ name, leaders: [its, theirs].filter((led) => led.includes(name)).length }))
      .filter(({ leaders }) => leaders !== 1)
      .map(({ name, leaders }) => `${name} has ${leaders} leaders`),
    ...(its.length === 0 ? [`${one} leads nothing`] : []),
    ...(theirs.length === 0 ? [`${other} leads nothing`] : []),
  ]
  if (wrong.length === 0) return []
  const reports = await Promise.all([one, other].map(async (each) => `${each}: ${await cluster.readiness(each)}`))
  return [...wrong, ...reports]
}
