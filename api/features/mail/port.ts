/** The interface for outgoing mail. */
export interface Message {
  /** Exactly one address. */
  readonly to: string
  readonly subject: string
  /** Plain text, lines ended by \n. */
  readonly text: string
}

export interface Mail {
  /** Where mail goes, for users and logs; never an address or a password. */
  readonly place: string
  /** Settles when the mail was accepted. @throws MailFailed within a bounded time */
  send(message: Message): Promise<void>
  close(): Promise<void>
}

export class MailFailed extends Error {
  override readonly name = 'MailFailed'
  constructor(
    /** For the log: no address, no password, nothing of the message. */
    readonly reason: string,
    /** Whether a retry may succeed. */
    readonly isTemporary: boolean,
  ) {
    super(reason)
  }
}
