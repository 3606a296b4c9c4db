import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Signer, SignatureProblem, verifySigned } from './signing.ts'

const [first, second] = [randomBytes(32), randomBytes(32)]
const payload = { root: 'abc', events: 7 }

describe('A signature', () => {
  it('verifies with the public key alone and returns its payload', async () => {
    const signer = await Signer.open({ current: first, others: [] })
    const jws = await signer.sign('checkpoint', payload)
    expect(await verifySigned(signer.jwks, 'checkpoint', jws)).toEqual(payload)
    expect(JSON.stringify(signer.jwks)).not.toContain('"d"')
  })
  it('with an earlier key still verifies, by the key id', async () => {
    const old = await Signer.open({ current: first, others: [] })
    const rotated = await Signer.open({ current: second, others: [first] })
    expect(rotated.kid).not.toBe(old.kid)
    expect(await rotated.verify('export', await old.sign('export', payload))).toEqual(payload)
  })
  it('fails with another key, another payload or for another purpose', async () => {
    const signer = await Signer.open({ current: first, others: [] })
    const stranger = await Signer.open({ current: second, others: [] })
    const jws = await signer.sign('checkpoint', payload)
    const [head = '', , tail = ''] = jws.split('.')
    const forged = [head, Buffer.from(JSON.stringify({ ...payload, events: 8 })).toString('base64url'), tail].join('.')
    await expect(signer.verify('checkpoint', await stranger.sign('checkpoint', payload))).rejects.toThrow(
      SignatureProblem,
    )
    await expect(signer.verify('checkpoint', forged)).rejects.toThrow(
      'the text was changed, or another installation signed it',
    )
    await expect(signer.verify('export', jws)).rejects.toThrow('This installation signed it, but not as an export.')
    await expect(signer.verify('checkpoint', 'nonsense')).rejects.toThrow(SignatureProblem)
    const none = `${Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')}.${Buffer.from('{}').toString('base64url')}.`
    await expect(signer.verify('checkpoint', none)).rejects.toThrow(SignatureProblem)
  })
})
