/** The message is a sentence for the operator. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused'
}
