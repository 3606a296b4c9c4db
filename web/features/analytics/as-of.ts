/** As of when the figures on screen are: networks are asked only now and then. */
import type { AnalyticsRecord } from '../../../api/contract/index.ts'
import { formatDateTime } from '../../lib/dates.ts'

/** `Figures as of Mar 3, 2026 at 9:00 AM`, by the newest reading among the records; sample figures have none. */
export function asOf(records: readonly Pick<AnalyticsRecord, 'measuredAt'>[], zone: string): string {
  const newest = records.reduce<string | null>((known, { measuredAt: at }) => (at !== null && (known === null || at > known) ? at : known), null)
  return newest === null ? 'No figures yet' : `Figures as of ${formatDateTime(newest, zone)}`
}
