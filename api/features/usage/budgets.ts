/** Each agency's daily budgets: log bytes, texts generated on request, and texts generated for posting schedules. */
import { DailyBudget, type DailyBudgetPorts } from '../../records/daily-budget.ts'
import { bytesAMegabyte, LogBudget } from '../../core/log-budget.ts'

/** Per agency and day. */
export interface BudgetSettings {
  readonly LOG_MB_PER_DAY: number
  readonly TEXTS_PER_DAY: number
  readonly SCHEDULE_TEXTS_PER_DAY: number
}

export interface Budgets {
  readonly log: LogBudget
  /** Texts that users request. */
  readonly texts: DailyBudget
  /** Texts for posting schedules. */
  readonly plannedTexts: DailyBudget
  sweep(): Promise<void>
  /** Records the usage since the last write. */
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
    // All budgets share one table, so one sweep is enough.
    sweep: () => log.sweep(),
    close: async () => void (await Promise.all([log.close(), texts.close(), plannedTexts.close()])),
  }
}
