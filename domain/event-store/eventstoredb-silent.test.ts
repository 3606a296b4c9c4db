/**
 * Nodes that stay silent, and come back: the process that waits for them lives on.
 *
 * @module-tag long
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { EventStoreDBClient } from '@eventstore/db-client'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi, type TestContext } from 'vitest'
import { defaultTimeouts, openEventStoreDB } from './eventstoredb.ts'
import { OutcomeUnknown } from './port.ts'
import { event, follow, newName, newStream } from './test/samples.ts'
import { startCluster, type TestCluster } from './test/fake-eventstoredb/cluster.ts'
import { startEventStore } from './test/fake-eventstoredb/server.ts'
import { compiled } from '../test/compiled.ts'

const outcomes = ['stored', 'OutcomeUnknown', 'StoreUnavailable']

interface Given {
  readonly count?: number
  readonly bytes?: number
  readonly end?: 'append' | 'close' | 'connected'
}

/** `onTestFinished` of the context: tests that run at the same time have one each. */
type AtEnd = TestContext['onTestFinished']

/** Appends one event each to the streams `<stream>0`, `<stream>1`, … */
function appender(atEnd: AtEnd, url: string, stream: string, { count = 1, bytes = 10, end = 'append' }: Given = {}) {
  const script = compiled('domain/event-store/test/one-append.child.ts')
  const given = [script, url, stream, String(count), String(bytes), end]
  const child = spawn(process.execPath, given, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve))
  atEnd(() => void child.kill('SIGKILL'))
  return {
    line: async () => ((await lines.next()).value ?? 'ended').split(' '),
    go: () => child.stdin.write(' '),
    end: () => child.stdin.end(),
    gone,
  }
}

// At the same time: each waits for real deadlines of the client, in a process of its own.
describe.concurrent('A process that appends to a cluster', () => {
  async function given(atEnd: AtEnd) {
    const cluster = await startCluster()
    atEnd(() => cluster.close())
    return { cluster, storedIn: (stream: string) => cluster.log.stream(stream)?.length ?? 0 }
  }

  it('lives on where all nodes are silent until after its first deadline', async ({ onTestFinished, expect }) => {
    const { cluster, storedIn } = await given(onTestFinished)
    for (const node of cluster.nodes) node.hang()
    const stream = newStream()
    const child = appender(onTestFinished, cluster.url(), stream)
    expect(await child.line()).toEqual(['begun'])
    await pause(7_500)
    for (const node of cluster.nodes) node.comeBack()
    expect(outcomes).toEqual(expect.arrayContaining(await child.line()))
    child.end()
    expect(await child.line()).toEqual(['stored'])
    expect(await child.gone).toBe(0)
    expect(storedIn(`${stream}0`)).toBe(1)
  })

  it('lives on where the leader dies silently and the election takes 9 s', async ({ onTestFinished, expect }) => {
    const { cluster, storedIn } = await given(onTestFinished)
    const stream = newStream()
    const child = appender(onTestFinished, cluster.url('random'), stream, { count: 20 })
    cluster.leader.hang()
    cluster.loseLeader()
    expect(await child.line()).toEqual(['begun'])
    await pause(9_000)
    cluster.elect()
    expect(outcomes).toEqual(expect.arrayContaining(await child.line()))
    child.end()
    expect(await child.line()).toEqual(['stored'])
    expect(await child.gone).toBe(0)
    for (let index = 0; index < 20; index += 1) expect(storedIn(`${stream}${index}`)).toBeLessThanOrEqual(1)
  })

  it('ends well where it is closed while its client looks for the nodes', async ({ onTestFinished, expect }) => {
    const { cluster } = await given(onTestFinished)
    for (const node of cluster.nodes) node.hang()
    const child = appender(onTestFinished, cluster.url(), newStream(), { end: 'close' })
    expect(await child.line()).toEqual(['begun'])
    expect(await child.line()).toEqual(['OutcomeUnknown'])
    for (const node of cluster.nodes) node.comeBack()
    expect(await child.gone).toBe(0)
  })
})

describe.concurrent('A process that appends to a single node', () => {
  it('lives on where the node hangs under many large appends, and its connection breaks', async ({
    onTestFinished,
    expect,
  }) => {
    const server = await startEventStore()
    onTestFinished(() => server.close())
    const stream = newStream()
    const child = appender(onTestFinished, server.url, stream, { count: 60, bytes: 100_000, end: 'connected' })
    expect(await child.line()).toEqual(['connected'])
    server.hang()
    child.go()
    expect(await child.line()).toEqual(['begun'])
    await pause(2_000)
    server.leave()
    server.comeBack()
    expect(await child.line()).toEqual(['stored'])
    child.end()
    expect(await child.line()).toEqual(['stored'])
    expect(await child.gone).toBe(0)
    for (let index = 0; index < 60; index += 1) expect(server.log.stream(`${stream}${index}`)).toHaveLength(1)
  })
})

describe('The clients of a cluster', () => {
  let cluster: TestCluster
  beforeEach(async () => {
    cluster = await startCluster()
  })
  afterEach(() => cluster.close())
  const timeouts = { ...defaultTimeouts, answerMs: 1_500, appendMs: 4_000 }

  it('are two at most while no node is found', async () => {
    for (const node of cluster.nodes) node.hang()
    const opened = vi.spyOn(EventStoreDBClient, 'connectionString')
    onTestFinished(() => opened.mockRestore())
    const store = openEventStoreDB(cluster.url(), timeouts)
    const waiting: Promise<unknown>[] = []
    for (let round = 0; round < 10; round += 1) {
      waiting.push(expect(store.append(newStream(), 'no-stream', [event()])).rejects.toBeInstanceOf(OutcomeUnknown))
      await pause(500)
    }
    await Promise.all(waiting)
    expect(opened.mock.calls.length).toBeLessThanOrEqual(2)
    for (const node of cluster.nodes) node.comeBack()
    await store.append(newStream(), 'no-stream', [event()])
    await store.close()
  })

  it('stay where one request is slow and the leader answers others', async () => {
    const store = openEventStoreDB(cluster.url(), timeouts)
    const name = newName()
    await store.append(newStream(), 'no-stream', [event()])
    const following = follow(store, await store.end(), [name], 1)
    await pause(200)
    cluster.faults.next = ['silent-before']
    await store.append(newStream(), 'no-stream', [event()])
    // Longer than the leader is asked.
    await pause(1_500)
    await store.append(newStream(), 'no-stream', [event(name)])
    expect(await following).toHaveLength(1)
    await store.close()
  })
})
