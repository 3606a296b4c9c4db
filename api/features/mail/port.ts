/** Mail that leaves the house. */
export interface Message {
  /** One address. */
  readonly to: string
  readonly subject: string
  /** Plain text, lines ended by \n. */
  readonly text: string
}

export interface Mail {
  /** What people can be told of where it goes; never an address or a password. */
  readonly place: string
  /** Settles when it was taken over. @throws MailFailed within a bounded time */
  send(message: Message): Promise<void>
  close(): Promise<void>
}

export class MailFailed extends Error {
  override readonly name = 'MailFailed'
  constructor(
    /** For the log: no address, no password, nothing of the message. */
    readonly reason: string,
    /** Whether another try may succeed. */
    readonly isTemporary: boolean,
  ) {
    super(reason)
  }
}
