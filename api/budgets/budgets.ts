/** What each agency may use a day. */
import type { Config } from '../config.ts'
import { DailyBudget, type DailyBudgetPorts } from './daily-budget.ts'
import { bytesAMegabyte, LogBudget } from './log-budget.ts'

export interface Budgets {
  readonly log: LogBudget
  sweep(): Promise<void>
  /** Records what was used since the last steps. */
  close(): Promise<void>
}

export async function openBudgets(ports: DailyBudgetPorts, config: Pick<Config, 'LOG_MB_PER_DAY'>): Promise<Budgets> {
  const log = await DailyBudget.open(ports, { name: 'log', limit: config.LOG_MB_PER_DAY * bytesAMegabyte })
  return {
    log: new LogBudget(log),
    sweep: () => log.sweep(),
    close: () => log.close(),
  }
}
