/** Says when the metrics were read: networks are asked only now and then. */
import type { AnalyticsRecord } from '../../../api/contract/index.ts'
import { formatDateTime } from '../../lib/dates.ts'
import { words } from './words.ts'

/**
 * `Metrics as of Mar 3, 2026 at 9:00 AM`, by the newest reading among the records; sample figures have none, and are
 * said to be there.
 */
export function asOf(records: readonly Pick<AnalyticsRecord, 'measuredAt' | 'sample'>[], zone: string): string {
  const newest = records.reduce<string | null>(
    (known, { measuredAt: at }) => (at !== null && (known === null || at > known) ? at : known),
    null,
  )
  const hasSample = records.some(({ sample }) => sample)
  if (newest === null) return hasSample ? words.asOf.sample : words.asOf.none
  return words.asOf.read(formatDateTime(newest, zone), hasSample)
}
