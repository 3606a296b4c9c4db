import type { Condition } from './port.ts'

/** Whether only a document with the field can meet the condition: a tombstone has no fields. */
export const excludesNull = (condition: Condition): boolean =>
  condition !== null && !(typeof condition === 'object' && 'in' in condition && condition.in.includes(null))
