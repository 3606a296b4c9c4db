/** The sandbox's data in one file of its own: profiles, consents, tokens, media and posts. */
import { Consents } from './consents.ts'
import { Db } from './db.ts'
import { Feed, type FeedLag, type NewPost } from './feed.ts'
import { Media } from './media.ts'
import { Profiles } from './profiles.ts'
import { Tokens } from './tokens.ts'

export class SandboxStore {
  readonly #db: Db
  readonly profiles: Profiles
  readonly consents: Consents
  readonly tokens: Tokens
  readonly media: Media
  readonly feed: Feed

  /** @throws StoreUnavailable when another process holds the file */
  constructor(file: string, lag: FeedLag | null = null) {
    this.#db = new Db(file)
    this.profiles = new Profiles(this.#db)
    this.consents = new Consents(this.#db, this.profiles)
    this.tokens = new Tokens(this.#db)
    this.media = new Media(this.#db)
    this.feed = new Feed(this.#db, lag)
  }

  /** Stores a post and marks its media as used: it is in the feed exactly when this resolves. */
  take(post: NewPost, used: readonly string[] = []): Promise<void> {
    return this.#db.durably(() => {
      this.feed.insert(post)
      for (const id of used) this.media.turn(id, 'used')
    })
  }

  /** One transaction, durable when it resolves; `work` makes its checks before it writes. */
  durably<T>(work: () => T): Promise<T> {
    return this.#db.durably(work)
  }

  close(): void {
    this.#db.close()
  }
}
