import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Signer, SignatureProblem, verifySigned } from './signing.ts'

const [first, second] = [randomBytes(32), randomBytes(32)]
const payload = { root: 'abc', events: 7 }

describe('A signature', () => {
  it('is ours, and tells what was signed, with the public key alone', async () => {
    const signer = await Signer.open({ current: first, others: [] })
    const jws = await signer.sign('checkpoint', payload)
    expect(await verifySigned(signer.jwks, 'checkpoint', jws)).toEqual(payload)
    expect(JSON.stringify(signer.jwks)).not.toContain('"d"')
  })
  it('of an earlier key is still ours, and found by its name', async () => {
    const old = await Signer.open({ current: first, others: [] })
    const rotated = await Signer.open({ current: second, others: [first] })
    expect(rotated.kid).not.toBe(old.kid)
    expect(await rotated.verify('export', await old.sign('export', payload))).toEqual(payload)
  })
  it('is not ours with another key, with other words, or for something else', async () => {
    const signer = await Signer.open({ current: first, others: [] })
    const stranger = await Signer.open({ current: second, others: [] })
    const jws = await signer.sign('checkpoint', payload)
    const [head = '', , tail = ''] = jws.split('.')
    const forged = [head, Buffer.from(JSON.stringify({ ...payload, events: 8 })).toString('base64url'), tail].join('.')
    await expect(signer.verify('checkpoint', await stranger.sign('checkpoint', payload))).rejects.toThrow(
      SignatureProblem,
    )
    await expect(signer.verify('checkpoint', forged)).rejects.toThrow('it was changed, or it is not ours')
    await expect(signer.verify('export', jws)).rejects.toThrow('It is signed by us, but not as an export.')
    await expect(signer.verify('checkpoint', 'nonsense')).rejects.toThrow(SignatureProblem)
    const none = `${Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')}.${Buffer.from('{}').toString('base64url')}.`
    await expect(signer.verify('checkpoint', none)).rejects.toThrow(SignatureProblem)
  })
})
