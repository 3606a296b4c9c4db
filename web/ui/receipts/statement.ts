/** What a receipt's signature covers, read from the signed text itself. */
import type { Receipt, ReceiptStatement } from '../../../api/contract/index.ts'

export interface CheckpointShown {
  readonly at: string
  readonly events: number
}

export const statementOf = ({ signed }: Receipt) => payloadOf(signed) as ReceiptStatement

/** Null: the log had no signed checkpoint yet. */
export const checkpointOf = ({ checkpoint }: ReceiptStatement): CheckpointShown | null =>
  checkpoint === null ? null : (payloadOf(checkpoint) as CheckpointShown)

/** Of a compact JWS, in base64url. */
function payloadOf(jws: string): unknown {
  const [, payload = ''] = jws.split('.')
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0))
  return JSON.parse(new TextDecoder().decode(bytes)) as unknown
}
