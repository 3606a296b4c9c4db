import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { patience } from '../../domain/test/patience.ts'
import { startWire } from '../../api/testing/wire.ts'
import { connectMongo, type MongoConnection } from './mongodb-connection.ts'
import { hasMongo, newDatabase } from './test/mongodb.ts'

describe.skipIf(!hasMongo)('A MongoDB connection', () => {
  afterEach(() => void vi.useRealTimers())
  const answers = (mongo: MongoConnection) => mongo.run((db) => db.command({ ping: 1 }))

  it('finds a server that starts after the client', async () => {
    const address = new URL(newDatabase())
    const wire = await startWire(address)
    address.host = `127.0.0.1:${wire.port}`
    wire.cut()
    const mongo = connectMongo(address.href)
    await expect(answers(mongo)).rejects.toMatchObject({ name: 'StoreUnavailable' })
    wire.mend()
    await expect.poll(() => answers(mongo), patience).toMatchObject({ ok: 1 })
    await mongo.close()
    await wire.close()
  })

  it('reports an outage as StoreUnavailable, and every client recovers, whenever the connection was cut', async () => {
    const address = new URL(newDatabase())
    const wire = await startWire(address)
    address.host = `127.0.0.1:${wire.port}`
    address.searchParams.set('directConnection', 'true')
    const clients = Array.from({ length: 4 }, () => connectMongo(address.href))
    await Promise.all(clients.map(answers))
    const over = new AbortController()
    onTestFinished(() => over.abort())
    const busy = clients.map(async (mongo) => {
      while (!over.signal.aborted) {
        const asked = await Promise.allSettled([answers(mongo), answers(mongo), answers(mongo)])
        for (const one of asked)
          if (one.status === 'rejected') expect(one.reason).toMatchObject({ name: 'StoreUnavailable' })
        await setTimeout(5)
      }
    })
    for (let cut = 0; cut < 5; cut++) {
      wire.cut()
      // This new client finds no server at its first check; the driver alone would never check again.
      if (cut === 0) clients.push(connectMongo(address.href))
      await Promise.all(
        clients.map((mongo) => expect(answers(mongo)).rejects.toMatchObject({ name: 'StoreUnavailable' })),
      )
      wire.mend()
      await Promise.all(clients.map((mongo) => expect.poll(() => answers(mongo), patience).toMatchObject({ ok: 1 })))
    }
    over.abort()
    await Promise.all(busy)
    await Promise.all(clients.map((mongo) => mongo.close()))
    await wire.close()
  })

  it('times out within 3 s on a silent server, can be closed meanwhile, and recovers', async () => {
    const address = new URL(newDatabase())
    const wire = await startWire(address)
    address.host = `127.0.0.1:${wire.port}`
    address.searchParams.set('directConnection', 'true')
    address.searchParams.delete('socketTimeoutMS')
    const mongo = connectMongo(address.href)
    await answers(mongo)
    wire.mute()
    const away = () => expect(answers(mongo)).rejects.toMatchObject({ name: 'StoreUnavailable' })
    // Moves the connection's own timers; the driver's are those of node:timers.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    for (let round = 0; round < 3; round++) {
      const all = Promise.all(Array.from({ length: 60 }, away))
      await vi.advanceTimersByTimeAsync(3_000)
      await all
    }
    vi.useRealTimers()
    wire.mend()
    await expect.poll(() => answers(mongo), patience).toMatchObject({ ok: 1 })
    wire.mute()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const closed = Promise.all([away(), mongo.close()])
    await vi.advanceTimersByTimeAsync(5_000)
    await closed
    await wire.close()
  })
})
