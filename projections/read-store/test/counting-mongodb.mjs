#!/usr/bin/env node
/**
 * A program in place of FerretDB that answers `ping` after a pause, and tells how many pings it had at a time:
 * `counting-mongodb.mjs --listen-addr=<host>:<port>`. It speaks the wire protocol of MongoDB, without any data:
 * https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/.
 */
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { BSON } from 'mongodb'

const [, host, port] = process.argv.map((arg) => /^--listen-addr=(.+):(\d+)$/.exec(arg)).find(Boolean) ?? []
const opQuery = 2004
const opReply = 1
const opMsg = 2013
const pingMs = 20
const hello = {
  isWritablePrimary: true,
  ismaster: true,
  helloOk: true,
  maxBsonObjectSize: 16 * 1024 * 1024,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  minWireVersion: 0,
  maxWireVersion: 21,
}

let atOnce = 0
let max = 0
async function replyTo(command) {
  if (!('ping' in command)) return 'max' in command ? { max, ok: 1 } : { ...hello, ok: 1 }
  atOnce += 1
  max = Math.max(max, atOnce)
  await pause(pingMs)
  atOnce -= 1
  return { ok: 1 }
}

function messageOf(requestId, opcode, head, document) {
  const body = BSON.serialize(document)
  const message = Buffer.alloc(16 + head.length + body.length)
  message.writeInt32LE(message.length, 0)
  message.writeInt32LE(requestId, 8)
  message.writeInt32LE(opcode, 12)
  message.set(head, 16)
  message.set(body, 16 + head.length)
  return message
}
/** Flags of 32 bits and a section of kind 0. */
const msgHead = Buffer.alloc(5)
/** Flags, a cursor, a start, and one document. */
const replyHead = Buffer.from([8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0])

async function answer(socket, message) {
  const [requestId, opcode] = [message.readInt32LE(4), message.readInt32LE(12)]
  if (opcode === opMsg) {
    const command = BSON.deserialize(message.subarray(21, 21 + message.readInt32LE(21)))
    socket.write(messageOf(requestId, opMsg, msgHead, await replyTo(command)))
  } else if (opcode === opQuery) socket.write(messageOf(requestId, opReply, replyHead, await replyTo({ hello: 1 })))
}

createServer((socket) => {
  let rest = Buffer.alloc(0)
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (let length; rest.length >= 4 && rest.length >= (length = rest.readInt32LE(0)); rest = rest.subarray(length))
      void answer(socket, rest.subarray(0, length))
  })
}).listen(Number(port), host)
