/** What each agency may use a day: of the log, of generated texts, and of texts that its posting schedules have written. */
import { DailyBudget, type DailyBudgetPorts } from '../../records/daily-budget.ts'
import { bytesAMegabyte, LogBudget } from '../../core/log-budget.ts'

/** Of each agency, a day. */
export interface BudgetSettings {
  readonly LOG_MB_PER_DAY: number
  readonly TEXTS_PER_DAY: number
  readonly SCHEDULE_TEXTS_PER_DAY: number
}

export interface Budgets {
  readonly log: LogBudget
  /** Texts that people ask for. */
  readonly texts: DailyBudget
  /** Texts that posting schedules have written. */
  readonly plannedTexts: DailyBudget
  sweep(): Promise<void>
  /** Records what was used since the last steps. */
  close(): Promise<void>
}

export async function openBudgets(ports: DailyBudgetPorts, config: BudgetSettings): Promise<Budgets> {
  const open = (name: string, limit: number) => DailyBudget.open(ports, { name, limit })
  const log = await open('log', config.LOG_MB_PER_DAY * bytesAMegabyte)
  const texts = await open('texts', config.TEXTS_PER_DAY)
  const plannedTexts = await open('planned-texts', config.SCHEDULE_TEXTS_PER_DAY)
  return {
    log: new LogBudget(log),
    texts,
    plannedTexts,
    // All of them are records of one table.
    sweep: () => log.sweep(),
    close: async () => void (await Promise.all([log.close(), texts.close(), plannedTexts.close()])),
  }
}
