import { expect, it } from 'vitest'
import { ReviewLimits } from './limits.ts'

it('Codes count with the links that an agency mails, and a refused code is asked for again later', async () => {
  const limits = new ReviewLimits()
  const letters = await limits.sending('agency', 99)
  await limits.mailing('token', 'agency')
  const refused = { status: 429, type: 'too-many-letters' }
  for (let times = 0; times < 9; times++)
    await expect(limits.mailing('token', 'agency')).rejects.toMatchObject({
      ...refused,
      message: 'No code can be mailed right now. You can go on in 60 minutes.',
    })
  await limits.mailing('token of another', 'other agency')
  await letters.areNotSent()
  for (let times = 0; times < 4; times++) await limits.mailing('token', 'agency')
  await expect(limits.mailing('token', 'agency')).rejects.toMatchObject({ status: 429, type: 'too-many' })
})
