/**
 * Writes what the JSON report of Vitest lacks: errors outside of tests, and files that never ran because their worker
 * ended. One JSON string on a line of `$TEST_ERRORS`.
 */
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import process from 'node:process'

export default class ErrorsReporter {
  #wanted = []

  onTestRunStart(specifications) {
    this.#wanted = specifications.map(({ moduleId }) => moduleId)
  }

  onTestRunEnd(modules, unhandledErrors) {
    for (const { message, stack } of unhandledErrors) this.#write(stack ?? message)
    const ended = new Set(
      modules.filter((each) => !['queued', 'pending'].includes(each.state())).map(({ moduleId }) => moduleId),
    )
    for (const file of this.#wanted)
      if (!ended.has(file)) this.#write(`${relative(process.cwd(), file)} did not run to its end`)
  }

  #write(message) {
    appendFileSync(process.env.TEST_ERRORS, `${JSON.stringify(message)}\n`)
  }
}
