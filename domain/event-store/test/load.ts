/** How many events the contract of event stores writes. */
export interface Load {
  /** The events of each of 64 concurrent writers. */
  readonly ofWriter: number
  /** The events that each of 10 subscriptions delivers, which begin at a tenth, two tenths … of them. */
  readonly ofFollower: number
  /** The events of a stream that is longer than any batch. */
  readonly longStream: number
}

export const fullLoad: Load = { ofWriter: 30, ofFollower: 400, longStream: 3_000 }

/**
 * For the test EventStoreDB, where each event costs both ends of a gRPC connection in this process. The long stream is
 * still longer than the client's batches of 500 events.
 */
export const lightLoad: Load = { ofWriter: 5, ofFollower: 100, longStream: 600 }
