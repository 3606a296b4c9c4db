/** The message is one sentence for the user. */
export class CantStore extends Error {
  override readonly name = 'CantStore'
  constructor(cause: Error) {
    const isFull = 'code' in cause && (cause.code === 'ENOSPC' || cause.code === 'EDQUOT')
    super(
      isFull
        ? "The image was not stored, because this server's disk is full. Tell its operator."
        : "The image was not stored: this server can't keep images just now. Please try again later.",
      { cause },
    )
  }
}
