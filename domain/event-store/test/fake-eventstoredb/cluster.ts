/** Three nodes of the test server: a leader, and followers whose copies a test can hold back. */
import { Metadata, status, type ServiceDefinition } from '@grpc/grpc-js'
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import gossip from '@eventstore/db-client/generated/gossip_pb.js'
import type { Check } from './access.ts'
import type { Faults } from './appending.ts'
import { Log, Replica } from './log.ts'
import { startNode, type Node } from './node.ts'
import { servicesOf } from './server.ts'

export interface TestCluster {
  /** For `EVENTSTORE_URL`: all nodes, with this preference. */
  url(nodePreference?: 'leader' | 'follower' | 'random'): string
  readonly log: Log
  readonly faults: Faults
  readonly leader: Node
  readonly nodes: readonly Node[]
  /** The followers' copies of the log. */
  readonly replicas: readonly Replica[]
  /** From then on until the election the nodes name no leader, and serve no call that requires it. */
  loseLeader(): void
  /** Makes another node the leader: gossip says so from then on. */
  elect(): void
  close(): Promise<void>
}

const size = 3
const { LEADER, FOLLOWER, UNKNOWN } = gossip.MemberInfo.VNodeState

export async function startCluster(): Promise<TestCluster> {
  const log = new Log()
  const faults: Faults = { next: [], clockAheadMs: 0 }
  const replicas = Array.from({ length: size }, () => new Replica(log))
  const nodes: Node[] = []
  let leader = 0
  let isElecting = false

  const members = () => {
    const info = new gossip.ClusterInfo()
    for (const [index, { host, port }] of nodes.entries()) {
      const endPoint = new gossip.EndPoint()
      endPoint.setAddress(host)
      endPoint.setPort(port)
      const member = new gossip.MemberInfo()
      member.setState(isElecting ? UNKNOWN : index === leader ? LEADER : FOLLOWER)
      member.setIsAlive(true)
      member.setHttpEndPoint(endPoint)
      info.addMembers(member)
    }
    return info
  }
  /** A follower names the leader to a call that requires it. EventStoreDB 23.10, `RpcExceptions.LeaderInfo`. */
  const leaderOnly =
    (index: number): Check =>
    ({ metadata }) => {
      if (metadata.get('requires-leader')[0] !== 'true') return null
      if (isElecting) return { code: status.UNAVAILABLE, details: 'Server Is Not Ready' }
      if (index === leader) return null
      const trailers = new Metadata()
      trailers.set('exception', 'not-leader')
      trailers.set('leader-endpoint-host', nodes[leader]?.host ?? '')
      trailers.set('leader-endpoint-port', String(nodes[leader]?.port))
      return { code: status.NOT_FOUND, details: 'Leader info available', metadata: trailers }
    }

  for (const [index, replica] of replicas.entries()) {
    // A leader has everything: its own copy is never stopped.
    const reads = {
      get all() {
        return index === leader ? log.all : replica.all
      },
      stream: (name: string) => (index === leader ? log : replica).stream(name),
      isDeleted: (name: string) => (index === leader ? log : replica).isDeleted(name),
      appended: () => (index === leader ? log : replica).appended(),
      from: (position: number) => (index === leader ? log : replica).from(position),
    }
    nodes.push(
      await startNode({
        services: (drop) => [
          ...servicesOf({
            log,
            reads,
            sent: { events: 0 },
            faults,
            drop,
            access: { check: leaderOnly(index), mayWrite: () => true },
          }),
          {
            definition: gossipService.GossipService as unknown as ServiceDefinition,
            handlers: { read: (_: unknown, answer: (error: null, reply: unknown) => void) => answer(null, members()) },
          },
        ],
      }),
    )
  }

  return {
    url: (nodePreference = 'leader') =>
      `esdb://${nodes.map(({ host, port }) => `${host}:${port}`).join(',')}?tls=false&nodePreference=${nodePreference}`,
    log,
    faults,
    nodes,
    get leader() {
      const node = nodes[leader]
      if (!node) throw new Error('The cluster has no node')
      return node
    },
    get replicas() {
      return replicas.filter((_, index) => index !== leader)
    },
    loseLeader() {
      isElecting = true
    },
    elect() {
      isElecting = false
      leader = (leader + 1) % size
    },
    async close() {
      for (const node of nodes) await node.close()
    },
  }
}
