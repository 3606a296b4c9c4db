import { describe, expect, it } from 'vitest'
import { byCause, lackingTimes, rulesSentence, slotWords, topicsSentence } from './words.ts'

const at = (day: number | 'every', time: string) => ({ day, time })

describe('A posting schedule in words', () => {
  it.each([
    ['daily', [at('every', '09:00')], 'Posts every day at 9:00 AM'],
    ['daily', [at('every', '09:00'), at(3, '17:30')], 'Posts every day at 9:00 AM and 5:30 PM'],
    ['weekly', [at(1, '09:00'), at(3, '09:00'), at(5, '09:00')], 'Posts 3 times a week: Mon, Wed and Fri at 9:00 AM'],
    ['weekly', [at('every', '09:00')], 'Posts 3 times a week: Sun, Tue and Thu at 9:00 AM'],
    ['custom', [at(1, '09:00')], 'Posts once a week: Mon at 9:00 AM'],
    [
      'custom',
      [at(1, '09:00'), at(2, '13:00'), at(4, '13:00')],
      'Posts 3 times a week: Mon at 9:00 AM; Tue and Thu at 1:00 PM',
    ],
    ['custom', [at(1, '09:00'), at(1, '18:00')], 'Posts twice a week: Mon at 9:00 AM and 6:00 PM'],
  ] as const)('%s %j: %s', (frequency, preferredTimes, sentence) => {
    expect(rulesSentence({ frequency, postsPerWeek: 3, preferredTimes: [...preferredTimes] })).toBe(sentence)
  })
  it('says when its times allow fewer posts than it asks for', () => {
    const two = { preferredTimes: [at(1, '09:00'), at(3, '09:00')], postsPerWeek: 5 }
    expect(lackingTimes({ ...two, frequency: 'weekly' })).toBe(
      'The times allow only 2 posts a week. Add more times for 5.',
    )
    expect(lackingTimes({ ...two, frequency: 'weekly', postsPerWeek: 2 })).toBeNull()
    expect(lackingTimes({ ...two, frequency: 'custom' })).toBeNull()
  })
  it('names its topics', () => {
    expect(topicsSentence([])).toBe("About something new in the brand's voice each time")
    expect(topicsSentence(['News', 'Offers'])).toBe('About News and Offers in turn')
  })
})

describe('A slot in words', () => {
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  it('says which post the slot has', () => {
    expect(
      slotWords({ at: soon, state: 'planned', status: 'pending' }, { waits: true, needsImage: false, zone: 'UTC' })
        .text,
    ).toBe('Waiting for review')
    expect(
      slotWords({ at: soon, state: 'planned', status: 'draft' }, { waits: true, needsImage: true, zone: 'UTC' }).text,
    ).toBe('Draft, needs an image')
    expect(slotWords({ at: soon, state: 'free' }, { waits: true, needsImage: false, zone: 'UTC' }).text).toBe(
      'Not written yet',
    )
    expect(slotWords({ at: soon, state: 'free' }, { waits: false, needsImage: false, zone: 'UTC' }).text).toBe('Free')
    expect(
      slotWords({ at: '2999-01-01T00:00:00.000Z', state: 'free' }, { waits: true, needsImage: false, zone: 'UTC' })
        .text,
    ).toBe('Upcoming')
  })
  it('announces no post when its post was deleted, moved or rejected', () => {
    const around = { waits: true, needsImage: false, zone: 'UTC' }
    expect(slotWords({ at: soon, state: 'deleted' }, around).text).toBe('Deleted')
    expect(
      slotWords({ at: soon, state: 'moved-away', movedTo: '2999-03-05T09:00:00.000Z', status: 'approved' }, around),
    ).toEqual({ text: 'Moved to Tue, Mar 5, 2999 at 9:00 AM', tone: 'approved' })
    expect(slotWords({ at: soon, state: 'planned', status: 'rejected' }, around).text).toBe('Rejected')
  })
})

describe('Failed slots', () => {
  it('are grouped by cause, each with its times', () => {
    const failures = [
      { at: '1', cause: 'Busy' },
      { at: '2', cause: 'Declined' },
      { at: '3', cause: 'Busy' },
    ]
    expect(byCause(failures)).toEqual([
      { cause: 'Busy', times: ['1', '3'] },
      { cause: 'Declined', times: ['2'] },
    ])
  })
})
