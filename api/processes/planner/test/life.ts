/** A planner that a test can kill at an append: afterwards it has no effect any more, like a killed process. */
import type { EventStore } from '../../../../domain/event-store/port.ts'
import { createCommands } from '../../../features/commands.ts'
import { createTemplateWriter } from '../../../features/writer/template.ts'
import type { World } from '../../test/helpers.ts'
import type { Randoms } from '../../test/randoms.ts'
import { createPlanner, type Planner } from '../planner.ts'

/** At which append a planner dies, and whether that append still takes effect. */
export interface Fate {
  appendsLeft: number
  readonly takesPlace: boolean
}

const longestMs = 1_000
/** After this time another planner takes over a claimed text. */
export const claimMs = 3 * longestMs + 1

const never = <T>() => new Promise<T>(() => {})

export class Planners {
  deaths = 0
  /** Kills the first planner that reaches the append. */
  fate: Fate | null = null
  #living: { planner: Planner; isDead: boolean }[] = []

  constructor(
    private readonly world: World,
    private readonly random: Randoms,
    private readonly count: number,
  ) {}

  /** Starts planners to replace the dead ones. */
  async fill(): Promise<void> {
    this.#living = this.#living.filter(({ isDead }) => !isDead)
    while (this.#living.length < this.count) this.#living.push(await this.#start())
  }

  async leave(): Promise<void> {
    await Promise.all(this.#living.map(({ planner, isDead }) => !isDead && planner.stop()))
    this.#living = []
  }

  async #start() {
    const { world, random } = this
    const life = { isDead: false, planner: null as Planner | null }
    const die = () => {
      life.isDead = true
      this.deaths += 1
      void life.planner?.stop()
    }
    const events: EventStore = {
      ...bound(world.events),
      append: async (stream, expected, chained) => {
        if (life.isDead) return never()
        const { fate } = this
        const strikes = fate !== null && --fate.appendsLeft <= 0
        if (strikes) this.fate = null
        if (strikes && !fate.takesPlace) {
          die()
          return never()
        }
        const position = await world.events.append(stream, expected, chained)
        if (!strikes) return position
        die()
        return never()
      },
    }
    const commands = createCommands({ ...world.commands.ports, events })
    const writer = createTemplateWriter({ random: () => random.next() })
    const config = { pollMs: 2, stopWithinMs: 1, alone: this.count === 1, longestMs }
    life.planner = await createPlanner({ ...world, commands, events, writer, config })
    await life.planner.start()
    return life as { planner: Planner; isDead: boolean }
  }
}

/** Binds the methods, so that they can be spread. */
const bound = (events: EventStore): EventStore => ({
  append: events.append.bind(events),
  read: events.read.bind(events),
  readAll: events.readAll.bind(events),
  subscribe: events.subscribe.bind(events),
  head: events.head.bind(events),
  end: events.end.bind(events),
  count: events.count.bind(events),
  close: events.close.bind(events),
})
