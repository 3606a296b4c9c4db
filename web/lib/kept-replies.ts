/**
 * Long replies to reads, kept in memory with their tag while the user is signed in. A *Refresh* names the tag, and the
 * server sends the reply again only if it changed. The browser's own cache keeps none of them (`no-store`).
 */
interface Kept {
  readonly tag: string
  readonly text: string
}

export const maxReplies = 30
/** At the two bytes that a character takes at most. */
export const maxBytes = 4_000_000

/** By address; those that were read longest ago come first. */
const kept = new Map<string, Kept>()
let bytes = 0
let sessions = 0

const sizeOf = ({ text }: Kept) => 2 * text.length

function drop(address: string): void {
  const dropped = kept.get(address)
  if (!dropped) return
  kept.delete(address)
  bytes -= sizeOf(dropped)
}

function keep(address: string, reply: Kept): void {
  drop(address)
  if (sizeOf(reply) > maxBytes) return
  kept.set(address, reply)
  bytes += sizeOf(reply)
  for (const oldest of kept.keys()) {
    if (kept.size <= maxReplies && bytes <= maxBytes) break
    drop(oldest)
  }
}

export const keptReplies = {
  /** What the replies take. */
  size: () => ({ count: kept.size, bytes }),
  /** After this, a reply to an earlier request isn't kept either. */
  forget: () => {
    kept.clear()
    bytes = 0
    sessions += 1
  },
  /**
   * The whole reply to a read, with the headers of now. @param read sends the request with these headers, too
   */
  whole: async (
    address: string,
    read: (headers: Readonly<Record<string, string>>) => Promise<Response>,
  ): Promise<Response> => {
    const before = kept.get(address)
    const session = sessions
    const response = await read(before ? { 'If-None-Match': before.tag } : {})
    if (response.status === 401) keptReplies.forget()
    const tag = response.headers.get('ETag')
    const isSame = before !== undefined && response.status === 304
    // Another tag is the revision of one thing, for `If-Match`.
    if (!isSame && !(response.ok && tag?.startsWith('W/'))) return response
    const reply = isSame ? before : { tag: tag ?? '', text: await response.text() }
    if (session === sessions) keep(address, reply)
    return new Response(reply.text, { headers: response.headers })
  },
}
