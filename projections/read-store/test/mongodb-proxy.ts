/**
 * A proxy before a MongoDB server that reads the commands of its wire protocol: it can run code before a command, and
 * cut the connection before or after one. OP_MSG as of MongoDB's wire protocol specification: a header of 16 bytes
 * (length, request, response to, operation 2013), 4 bytes of flags, then sections; the first is a document whose first
 * key names the command.
 */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { BSON, type Document } from 'mongodb'
import { tie } from '../../../domain/test/sockets.ts'

export interface MongoProxy {
  /** The address of a database behind this proxy. */
  urlOf(address: string): string
  /** How many commands of each name have passed. */
  readonly counts: ReadonlyMap<string, number>
  /** How many commands about each collection have passed. */
  readonly collections: ReadonlyMap<string, number>
  /** The sort orders of the commands of this name, in order. */
  sortsOf(command: string): readonly unknown[]
  /** The ids in the filters of all updates, in order. */
  idsOf(command: 'update'): readonly unknown[]
  /** Runs before the next command of this name is passed on; later ones pass at once. */
  beforeNext(command: string, run: () => Promise<unknown>): void
  /** Cuts the connection at the next command of this name: before it reaches the server, or instead of its answer. */
  cutNext(command: string, when: 'before' | 'after'): void
  close(): Promise<void>
}

const opMsg = 2013
const headerBytes = 16
const bsonText = 2
/** After the flags and the section's kind. */
const documentAt = headerBytes + 4 + 1
/** After the document's length and the first element's type. */
const nameAt = documentAt + 4 + 1

export async function startMongoProxy(server: string): Promise<MongoProxy> {
  const { hostname, port } = new URL(server)
  const sockets = new Set<Socket>()
  const counts = new Map<string, number>()
  const collections = new Map<string, number>()
  const documents: { readonly command: string; readonly document: Document }[] = []
  const pauses = new Map<string, () => Promise<unknown>>()
  const cuts = new Map<string, 'before' | 'after'>()

  const front = createServer((client) => {
    const upstream = connect(Number(port || 27017), hostname)
    let isAnswerCut = false
    tie(client, upstream, sockets)
    upstream.on('data', (bytes) => {
      if (isAnswerCut) client.destroy()
      else client.write(bytes)
    })
    void (async () => {
      for await (const message of messagesOf(client)) {
        const command = commandOf(message)
        counts.set(command, (counts.get(command) ?? 0) + 1)
        const collection = collectionOf(message, command)
        collections.set(collection, (collections.get(collection) ?? 0) + 1)
        if (command === 'find' || command === 'update') documents.push({ command, document: documentOf(message) })
        const pause = pauses.get(command)
        pauses.delete(command)
        await pause?.()
        const cut = cuts.get(command)
        cuts.delete(command)
        if (cut === 'before') return void client.destroy()
        isAnswerCut = cut === 'after'
        upstream.write(message)
      }
      upstream.end()
    })().catch(() => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(front, 'listening')

  return {
    urlOf(address) {
      const url = new URL(address)
      url.host = `127.0.0.1:${(front.address() as AddressInfo).port}`
      return url.href
    },
    counts,
    collections,
    sortsOf: (name) => documents.flatMap(({ command, document }) => (command === name ? [document['sort']] : [])),
    idsOf: (name) =>
      documents.flatMap(({ command, document }) =>
        command === name ? (document['updates'] as readonly Update[]).map(({ q }) => q._id) : [],
      ),
    beforeNext: (command, run) => void pauses.set(command, run),
    cutNext: (command, when) => void cuts.set(command, when),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => front.close(resolve))
    },
  }
}

/** Whole messages, in order. */
async function* messagesOf(socket: Socket): AsyncIterable<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const bytes of socket) {
    rest = Buffer.concat([rest, bytes as Buffer])
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0)
      yield rest.subarray(0, length)
      rest = rest.subarray(length)
    }
  }
}

/** The command's name; empty for the handshake's older message. */
function commandOf(message: Buffer): string {
  if (message.readInt32LE(12) !== opMsg) return ''
  return message.subarray(nameAt, message.indexOf(0, nameAt)).toString()
}

/** The first element's value; empty for a command that is not about one collection. */
function collectionOf(message: Buffer, command: string): string {
  const valueAt = nameAt + command.length + 1
  const isText = command !== '' && message[nameAt - 1] === bsonText
  return isText ? message.subarray(valueAt + 4, message.indexOf(0, valueAt + 4)).toString() : ''
}

interface Update {
  readonly q: { readonly _id: unknown }
}

/** The command with the documents of its other section, as a server puts them together. */
function documentOf(message: Buffer): Document {
  const document = BSON.deserialize(message.subarray(documentAt, documentAt + message.readInt32LE(documentAt)))
  let at = documentAt + message.readInt32LE(documentAt)
  while (at < message.length) {
    const end = at + 1 + message.readInt32LE(at + 1)
    const nameEnd = message.indexOf(0, at + 5)
    const listed: Document[] = []
    for (let next = nameEnd + 1; next < end; next += message.readInt32LE(next))
      listed.push(BSON.deserialize(message.subarray(next, next + message.readInt32LE(next))))
    document[message.subarray(at + 5, nameEnd).toString()] = listed
    at = end
  }
  return document
}
