/**
 * Metrics for the operator's charts. Events are counted where they happen; values that need a query are read on each
 * scrape.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Instant } from '../../domain/core/event.ts'
import { WrongExpectedRevision, type EventStore } from '../../domain/event-store/port.ts'
import type { RunnerHealth } from '../../projections/core/runner.ts'
import { systemClock, type Clock } from '../core/clock.ts'
import type { Served } from '../http/request-id.ts'

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Timeout for a queried value during a scrape; a late one is omitted. */
const askWithinMs = 1_000
/** Formatting the page may take this share of the event loop's time, however often it is scraped. */
const maxShare = 0.1
/** The longest pause between two pages. */
const maxPauseMs = 1_000

/** Outcomes are counted when their events are appended, by any process. */
const outcomes: Readonly<Record<string, string>> = {
  PostPublished: 'published',
  PublishingRejected: 'turned-down',
  PublishingFailed: 'failed',
  PublishingOutcomeUnknown: 'unknown',
  PostHeld: 'held',
}

export type Asked = () => Promise<number>

interface Collected {
  readonly page: Buffer
  readonly formattedInMs: number
}

const pauseAfter = ({ formattedInMs }: Collected) =>
  new Promise((resolve) => setTimeout(resolve, Math.min(maxPauseMs, formattedInMs * (1 / maxShare - 1))))

export class Metrics {
  readonly #own = new Registry()
  /** The page that begins after the pause. Every scrape until then shares it. */
  #next: Promise<Buffer> | null = null
  #pause: Promise<unknown> = Promise.resolve()
  readonly #asked: (() => Promise<void>)[] = []

  // Without the status, which would multiply the histogram's lines: with it, the page of a server that had seen all
  // routes and eight statuses of each was 3.1 MB, and took 110 ms.
  readonly #requestSeconds = new Histogram({
    name: 'socialai_http_request_seconds',
    help: 'Time from a request to the end of its response, by route',
    labelNames: ['method', 'route'],
    buckets: seconds,
    registers: [this.#own],
  })
  readonly #requests = new Counter({
    name: 'socialai_http_requests_total',
    help: 'Requests that were answered, by route and status',
    labelNames: ['method', 'route', 'status'],
    registers: [this.#own],
  })
  readonly #appends = new Histogram({
    name: 'socialai_append_seconds',
    help: 'Time that the event log took for an append',
    labelNames: ['outcome'],
    buckets: seconds,
    registers: [this.#own],
  })
  readonly visible = new Histogram({
    name: 'socialai_visible_seconds',
    help: 'Time until the views showed what a command appended',
    labelNames: ['shown'],
    buckets: seconds,
    registers: [this.#own],
  })
  readonly #publishing = new Counter({
    name: 'socialai_publishing_total',
    help: 'Outcomes of attempts to publish, as recorded by this process',
    labelNames: ['outcome'],
    registers: [this.#own],
  })

  /** Counts a request that was answered. */
  readonly answered: Served = ({ method, route, status }, inSeconds) => {
    this.#requestSeconds.observe({ method, route }, inSeconds)
    this.#requests.inc({ method, route, status })
  }

  /** Wraps an event store and measures its appends. */
  measured(events: EventStore): EventStore {
    return {
      append: async (stream, expected, chained) => {
        const end = this.#appends.startTimer()
        try {
          const position = await events.append(stream, expected, chained)
          end({ outcome: 'stored' })
          for (const { name } of chained) {
            const outcome = outcomes[name.replace(/\.v\d+$/, '')]
            if (outcome !== undefined) this.#publishing.inc({ outcome })
          }
          return position
        } catch (error) {
          end({ outcome: error instanceof WrongExpectedRevision ? 'conflict' : 'failed' })
          throw error
        }
      },
      read: (stream, from) => events.read(stream, from),
      readAll: (after, filter, onPassed) => events.readAll(after, filter, onPassed),
      subscribe: (after, filter, signal, onPassed) => events.subscribe(after, filter, signal, onPassed),
      head: (filter) => events.head(filter),
      end: () => events.end(),
      count: (after, filter) => events.count(after, filter),
      close: () => events.close(),
    }
  }

  /** Reports health and lag of each projection that this process runs. */
  projections(health: () => readonly RunnerHealth[], clock: Clock = systemClock): void {
    const labelNames = ['projection']
    const events = new Gauge({
      name: 'socialai_projection_lag_events',
      help: 'Events that a projection handles and has not applied yet, as counted by this process; beyond 200 at most 1 % too high. Absent during the first catch-up',
      labelNames,
      registers: [this.#own],
    })
    const behind = new Gauge({
      name: 'socialai_projection_lag_seconds',
      help: 'Age of the oldest of those events; 0 if there is none',
      labelNames,
      registers: [this.#own],
    })
    const live = new Gauge({
      name: 'socialai_projection_live',
      help: '1 while a projection keeps up with the log, 0 while it is behind or failing',
      labelNames,
      registers: [this.#own],
    })
    this.#asked.push(async () => {
      for (const gauge of [live, events, behind]) gauge.reset()
      for (const { name: projection, state, backlog } of health()) {
        live.set({ projection }, Number(state === 'live'))
        if (backlog === null) continue
        const since = backlog.since === null ? Number.POSITIVE_INFINITY : Date.parse(backlog.since)
        events.set({ projection }, backlog.events)
        behind.set({ projection }, Math.max(0, (Date.parse(clock.now()) - since) / 1000))
      }
    })
  }

  /** Reports how many posts wait for the publisher, and how many of them are overdue. */
  queue(waiting: Asked, due: Asked): void {
    const gauge = new Gauge({
      name: 'socialai_posts_waiting',
      help: 'Posts on their way to a network; due: those whose time has come',
      labelNames: ['due'],
      registers: [this.#own],
    })
    this.#asked.push(async () => {
      gauge.reset()
      const [all, late] = await Promise.all([waiting(), due()])
      gauge.set({ due: 'no' }, all - late)
      gauge.set({ due: 'yes' }, late)
    })
  }

  /** Reports the time of the last backup. */
  backups(newest: () => Promise<Instant | null>): void {
    const gauge = new Gauge({
      name: 'socialai_backup_last_success_timestamp_seconds',
      help: 'Time of the newest backup, in seconds since 1970; absent if there is none',
      registers: [this.#own],
    })
    this.#asked.push(async () => {
      const at = await newest()
      // A gauge starts at 0, which would mean a backup in 1970.
      gauge.remove()
      if (at !== null) gauge.set(Date.parse(at) / 1000)
    })
  }

  /**
   * In Prometheus' text format, without values that can't be read right now. Collected after it was asked for;
   * simultaneous scrapes share one collection.
   */
  page(): Promise<Buffer> {
    this.#next ??= this.#pause.then(async () => {
      this.#next = null
      const collecting = this.#collect()
      this.#pause = collecting.then(pauseAfter, () => undefined)
      return (await collecting).page
    })
    return this.#next
  }

  async #collect(): Promise<Collected> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, askWithinMs).unref())
    await Promise.all(this.#asked.map((ask) => Promise.race([ask().catch(() => undefined), late])))
    const begun = performance.now()
    const page = Buffer.from(await Registry.merge([this.#own, ofProcess()]).metrics())
    return { page, formattedInMs: performance.now() - begun }
  }
}

export const metricsType = Registry.PROMETHEUS_CONTENT_TYPE

let process: Registry | null = null

/** Memory, event loop and the like belong to the process, even if a test starts several servers in it. */
function ofProcess(): Registry {
  if (process === null) {
    process = new Registry()
    collectDefaultMetrics({ register: process })
  }
  return process
}
