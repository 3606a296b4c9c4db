/** Inspecting images published elsewhere, without storing them. */
import { describe, expect, it } from 'vitest'
import type { Fetched } from './guarded-fetch.ts'
import { factsOf } from './image.ts'
import { createLook } from './look.ts'
import { jpeg, png } from './test/helpers.ts'

const own = factsOf(png(5, 5))

describe('inspecting an image', () => {
  const asked: string[] = []
  const fetch = (url: string): Promise<Fetched> => {
    asked.push(url)
    if (url.endsWith('slow')) return new Promise(() => {})
    if (url.endsWith('.jpg')) return Promise.resolve({ kind: 'fetched', bytes: jpeg(40, 50) })
    return Promise.resolve(
      url.endsWith('.txt')
        ? { kind: 'fetched', bytes: Buffer.from('text') }
        : { kind: 'refused', reason: 'unreachable', sentence: 'no' },
    )
  }
  const look = createLook({
    images: { describe: (hash) => Promise.resolve(hash === own?.hash ? own : null) },
    fetch,
    limits: { atOnce: 2, inLine: 1, waitMs: 10 },
  })

  it('of our own needs no fetch', async () => {
    expect(await look(`https://social.example/media/${own?.hash ?? ''}`)).toEqual(own)
    expect(asked).toEqual([])
  })
  it('elsewhere returns its facts; null for a missing image or another file', async () => {
    expect(await look('https://a.example/x.jpg')).toMatchObject({ type: 'image/jpeg', width: 40, height: 50 })
    expect(await look('https://a.example/x.txt')).toBeNull()
    expect(await look('https://a.example/gone')).toBeNull()
  })
  it('runs twice at once at most, and gives up in a longer queue', async () => {
    const before = asked.length
    for (let n = 0; n < 2; n++) void look(`https://a.example/${n}/slow`)
    expect(await Promise.all([look('https://a.example/x.jpg'), look('https://a.example/y.jpg')])).toEqual([null, null])
    expect(asked.slice(before)).toHaveLength(2)
  })
})
