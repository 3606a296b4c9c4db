import { describe, expect, it } from 'vitest'
import { besideOthersMs, fastestMs } from '../../../domain/test/fastest.ts'
import { attackOf, run, verdictOf, worstTextsFor } from './attacks.ts'
import { exportedFrom, expressionsIn } from './found.ts'
import { overForeignText, type Group } from './listed.ts'

/** How long an expression may take over 100 kB. */
const maxMs = besideOthersMs(50)

/** Takes each expression of a group's modules through recheck, and feeds it the worst that is known for it. */
export function describeExpressions(group: Group): void {
  describe.each(overForeignText[group])('%s', async (file) => {
    const found = expressionsIn(file)
    const written = found.flatMap(({ expression }) =>
      expression ? [new RegExp(expression.source, expression.flags)] : [],
    )
    const isMade = found.some(({ expression }) => expression === null)
    checkEach([...written, ...(isMade ? await exportedFrom(file) : [])])
  })
}

/** A test for each of the expressions. */
export function checkEach(expressions: readonly RegExp[]): void {
  const each = new Map(expressions.map((expression) => [String(expression), expression]))
  it.each([...each])('%s takes less than 50 ms over 100 kB of an attack [S55]', async (_, expression) => {
    const verdict = await verdictOf(expression)
    for (const text of [...attackOf(verdict), ...worstTextsFor(expression)]) {
      const ms = fastestMs(() => run(expression, text), maxMs)
      expect(ms < maxMs ? 'in time' : `${ms} ms for ${JSON.stringify(text.slice(0, 30))}…`).toBe('in time')
    }
    expect(verdict.status).toBe('safe')
  })
}
