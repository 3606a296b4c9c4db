/**
 * Preloaded by the processes under test where the log is shared: their streams have a name of their own in front, and
 * other events look like the server's own. The real client speaks with the real server, and the product is unchanged.
 * `TEST_PART` is the name, `TEST_BEGINS` the position at which the log ended before, as `<commit>-<prepare>`.
 */
import { createRequire } from 'node:module'

const { EventStoreDBClient } = createRequire(`${process.cwd()}/package.json`)('@eventstore/db-client')
const prefix = `${process.env.TEST_PART}-`
const [commit, prepare] = (process.env.TEST_BEGINS ?? '').split('-')
const begins = commit && prepare ? { commit: BigInt(commit), prepare: BigInt(prepare) } : 'start'

const { appendToStream, readStream, readAll, subscribeToAll } = EventStoreDBClient.prototype
const shown = (event) =>
  event?.streamId.startsWith(prefix)
    ? { ...event, streamId: event.streamId.slice(prefix.length) }
    : event && { ...event, streamId: `$of-others-${event.streamId}` }

const isBefore = ({ commit }) => begins !== 'start' && commit <= begins.commit

/** The client's streams push what they have read (6.2.1, `ReadStream.js` and `Subscription.js`). */
function renamed(stream, isBackwards = false) {
  const push = stream.push.bind(stream)
  let isOver = false
  stream.push = (item) => {
    if (isOver) return false
    if (!item || !('event' in item)) return push(item)
    if (!isBackwards || !item.event?.position || !isBefore(item.event.position))
      return push({ ...item, event: shown(item.event) })
    isOver = true
    void stream.cancel()
    return push(null)
  }
  return stream
}

/** Nothing of this run lies before the position. */
const fromBeginning = (options) =>
  options?.direction === 'backwards' || (options?.fromPosition ?? 'start') !== 'start'
    ? options
    : { ...options, fromPosition: begins }

EventStoreDBClient.prototype.appendToStream = function (name, ...rest) {
  return appendToStream.call(this, prefix + name, ...rest)
}
EventStoreDBClient.prototype.readStream = function (name, ...rest) {
  return renamed(readStream.call(this, prefix + name, ...rest))
}
EventStoreDBClient.prototype.readAll = function (options, ...rest) {
  return renamed(readAll.call(this, fromBeginning(options), ...rest), options?.direction === 'backwards')
}
EventStoreDBClient.prototype.subscribeToAll = function (options, ...rest) {
  return renamed(subscribeToAll.call(this, fromBeginning(options), ...rest))
}
