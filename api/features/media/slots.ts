/** Limits concurrent tasks, the length of their queue, and the time in it. */
export interface Slots {
  /** Runs the task when a slot is free; null, without running it, when the queue is full or the wait too long. */
  run<T>(task: () => Promise<T>): Promise<T | null>
}

export interface SlotLimits {
  readonly atOnce: number
  readonly inLine: number
  readonly waitMs: number
}

export function createSlots({ atOnce, inLine, waitMs }: SlotLimits): Slots {
  let busy = 0
  const line = new Set<() => void>()

  /** Resolves to whether a slot was obtained. */
  const place = () =>
    new Promise<boolean>((resolve) => {
      if (busy < atOnce) {
        busy++
        return resolve(true)
      }
      if (line.size >= inLine) return resolve(false)
      const called = () => settle(true)
      const timer = setTimeout(() => settle(false), waitMs)
      const settle = (had: boolean) => {
        clearTimeout(timer)
        line.delete(called)
        resolve(had)
      }
      line.add(called)
    })

  const free = () => {
    const [next] = line
    // Hands the slot over directly, so that no new task gets in between.
    if (next) next()
    else busy--
  }

  return {
    async run(task) {
      if (!(await place())) return null
      try {
        return await task()
      } finally {
        free()
      }
    },
  }
}
