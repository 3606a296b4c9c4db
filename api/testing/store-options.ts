/** The options that the stores read, from the sources of the servers: a server exits with an option that it lacks. */

/**
 * Properties of the groups Application, Cluster, Interface and Projection that are not deprecated:
 * https://github.com/EventStore/EventStore/blob/a6c9f05e2edee84a14e612f17ed2e852d4fd9838/src/EventStore.Core/Configuration/ClusterVNodeOptions.cs
 * (main branch after 23.10, whose names for replication and node it has: older ones are marked as deprecated in
 * 23.10.0).
 */
const eventStoreProperties = `
Config WhatIf AllowUnknownOptions DisableHttpCaching StatsPeriodSec WorkerThreads LogHttpRequests
LogFailedAuthenticationAttempts SkipIndexScanOnReads MaxAppendSize MaxAppendEventSize Insecure
AllowAnonymousEndpointAccess AllowAnonymousStreamAccess OverrideAnonymousEndpointAccessForGossip TelemetryOptout
StreamInfoCacheCapacity ClusterSize NodePriority DiscoverViaDns ClusterDns ClusterGossipPort GossipSeed
GossipIntervalMs GossipAllowedDifferenceMs GossipTimeoutMs ReadOnlyReplica UnsafeAllowSurplusNodes
DeadMemberRemovalPeriodSec LeaderElectionTimeoutMs
ReplicationIp NodeIp NodePort ReplicationPort NodeHostAdvertiseAs ReplicationHostAdvertiseAs AdvertiseHostToClientAs
AdvertiseNodePortToClientAs NodePortAdvertiseAs ReplicationTcpPortAdvertiseAs ReplicationHeartbeatTimeout
ReplicationHeartbeatInterval EnableUnixSocket ConnectionPendingSendBytesThreshold ConnectionQueueSizeThreshold
DisableAdminUi DisableStatsOnHttp DisableGossipOnHttp EnableTrustedAuth
RunProjections StartStandardProjections ProjectionThreads ProjectionsQueryExpiry FaultOutOfOrderProjections
ProjectionCompilationTimeout ProjectionExecutionTimeout
`

/** As environment variables: `GossipSeed` is `EVENTSTORE_GOSSIP_SEED`. */
export const eventStoreOptions: ReadonlySet<string> = new Set(
  eventStoreProperties
    .trim()
    .split(/\s+/)
    .map((name) => `EVENTSTORE${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`),
)

/**
 * Command-line options of mongod that concern the network, access and replication:
 * https://github.com/mongodb/mongo/tree/master/src/mongo/db, server_options_general.idl (010750095b2b),
 * server_options_nongeneral.idl (20c7b24f8cb9), mongod_options_general.idl (193e8838d915) and
 * mongod_options_replication.idl (07b11864b6c8); for 8.0 also
 * https://www.mongodb.com/docs/v8.0/reference/program/mongod/.
 */
export const mongodOptions: ReadonlySet<string> = new Set([
  'config',
  'port',
  'ipv6',
  'listenBacklog',
  'maxConns',
  'pidfilepath',
  'timeZoneInfo',
  'nounixsocket',
  'unixSocketPrefix',
  'filePermissions',
  'fork',
  'bind_ip',
  'bind_ip_all',
  'keyFile',
  'noauth',
  'transitionToAuth',
  'clusterAuthMode',
  'slowms',
  'slowOpSampleRate',
  'auth',
  'profile',
  'notablescan',
  'noscripting',
  'oplogSize',
  'replSet',
])

/**
 * Patch versions of MongoDB 8.0 that mend a weakness. CVE-2025-14847 (memory of the server is readable before
 * sign-in): 8.0.17 of December 19, 2025, https://www.mongodb.com/docs/v8.0/release-notes/8.0/. CVE-2026-6914: 8.0.21,
 * https://www.sentinelone.com/vulnerability-database/cve-2026-6914/ of April 29, 2026.
 */
export const mongoFixes: Readonly<Record<string, number>> = { 'CVE-2025-14847': 17, 'CVE-2026-6914': 21 }
