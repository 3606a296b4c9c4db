import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMissing, type Index } from './mongodb-indexes.ts'
import { dropDatabase, hasMongo, newDatabase } from './test/mongodb.ts'

describe.skipIf(!hasMongo)('The indexes of a MongoDB collection', () => {
  const indexes: readonly Index[] = [{ key: { email: 1 }, unique: true }, { key: { day: 1, _id: 1 } }]
  let address: string
  let client: MongoClient
  let asked: string[]
  beforeAll(() => {
    address = newDatabase()
    client = new MongoClient(address, { monitorCommands: true })
    client.on('commandStarted', ({ commandName }) => asked.push(commandName))
  })
  afterAll(async () => {
    await client.close()
    await dropDatabase(address)
  })
  const things = () => client.db().collection('things')
  const commandsOf = async (wanted: readonly Index[]) => {
    asked = []
    await createMissing(things(), wanted)
    return asked
  }

  it('are created in a new collection', async () => {
    await commandsOf(indexes)
    const made = (await things().indexes()).map(({ key, unique }) => ({ key, unique: unique === true }))
    expect(made).toHaveLength(3)
    expect(made).toContainEqual({ key: { email: 1 }, unique: true })
    expect(made).toContainEqual({ key: { day: 1, _id: 1 }, unique: false })
  })

  it('cost one command where they exist, and one for each unique one', async () => {
    expect(await commandsOf(indexes.slice(1))).toEqual(['listIndexes'])
    expect(await commandsOf(indexes)).toEqual(['listIndexes', 'createIndexes'])
  })

  it('are created once where two processes create them at once', async () => {
    const others = client.db().collection('others')
    await Promise.all([createMissing(others, indexes), createMissing(others, indexes)])
    expect(await others.indexes()).toHaveLength(3)
  })

  it('are added to those that exist', async () => {
    const more: readonly Index[] = [{ key: { day: 1, _id: 1 } }, { key: { kind: 1, _id: 1 } }]
    expect(await commandsOf(more)).toEqual(['listIndexes', 'createIndexes'])
    expect(await commandsOf(more)).toEqual(['listIndexes'])
  })
})
