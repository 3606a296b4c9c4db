import { expect, it } from 'vitest'
import { maxLinksAnHour, ReviewLimits } from './limits.ts'

it('Codes count with the links that an agency mails, and a refused code is asked for again later', async () => {
  const limits = new ReviewLimits()
  const letters = await limits.issuing('agency', 99)
  await limits.mailing('token', 'agency')
  const refused = { status: 429, type: 'too-many-letters' }
  for (let times = 0; times < 9; times++)
    await expect(limits.mailing('token', 'agency')).rejects.toMatchObject({
      ...refused,
      message: 'No code can be mailed right now. You can go on in 60 minutes.',
    })
  await limits.mailing('token of another', 'other agency')
  await letters.isNotIssued()
  for (let times = 0; times < 4; times++) await limits.mailing('token', 'agency')
  await expect(limits.mailing('token', 'agency')).rejects.toMatchObject({ status: 429, type: 'too-many' })
})

it('A link that its letters hold up counts as none, and one beyond the limit uses up no letters', async () => {
  const limits = new ReviewLimits()
  for (let times = 0; times < 200; times++)
    await expect(limits.issuing('agency', 101)).rejects.toMatchObject({ status: 429, type: 'too-many-letters' })
  for (let times = 0; times < maxLinksAnHour; times++) await limits.issuing('agency', 0)
  await expect(limits.issuing('agency', 100)).rejects.toMatchObject({ status: 429, type: 'too-many-links' })
  await limits.mailing('token', 'agency')
})
