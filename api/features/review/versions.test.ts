import { describe, expect, it } from 'vitest'
import type { PostEvent } from '../../../domain/post/events.ts'
import { evolvePost, initialPost } from '../../../domain/post/state.ts'
import * as p from '../../../domain/post/test/examples.ts'
import { visibleVersion } from './versions.ts'

const returned: PostEvent = { type: 'PostReturnedToDraft', data: { from: 'pending' } }
const secret: PostEvent = { type: 'PostContentRevised', data: { content: 'Not submitted', generationId: null } }
const shownAfter = (...events: readonly PostEvent[]) => visibleVersion(events.reduce(evolvePost, initialPost))

describe('What the client sees of a draft', () => {
  it('is its last submission, however long its history is', () => {
    const long = Array.from({ length: 5_001 }, () => secret)
    const moved: PostEvent = { type: 'PostPlanned', data: { scheduledFor: p.nextWeek } }
    expect(shownAfter(p.written, p.submitted, returned, ...long, moved)).toEqual({
      version: 1,
      content: p.first.content,
      imageUrl: null,
      image: null,
      scheduledFor: null,
    })
  })

  it('is nothing before the first submission', () => {
    expect(shownAfter(p.written)).toMatchObject({ version: 0, content: '' })
  })
})
