import { describe, expect, it } from 'vitest'
import { specification } from '../test/specification.ts'
import type { PostCommand } from './commands.ts'
import { postDecider } from './decider.ts'
import type { PostEvent } from './events.ts'
import { abilitiesFor, type Acting } from './rights.ts'
import * as p from './test/examples.ts'

const { given, fold } = specification(postDecider)
const as = (rights: Acting['rights'], over: Partial<Acting> = {}) => ({
  ...p.context,
  acting: { rights, userId: 'ada', mayApproveOwn: true, ...over },
})
/** As it is read from the log: with its actor. */
const by = (userId: string, fact: PostEvent): PostEvent =>
  Object.assign({ ...fact }, { metadata: { actor: { type: 'user', id: userId } } })

describe('a writer', () => {
  const acts: readonly (readonly [string, readonly PostEvent[], PostCommand, string | undefined])[] = [
    ['edits a draft', p.pasts.draft, { type: 'ReviseContent', content: 'Better', generation: null }, undefined],
    ['submits a draft', p.pasts.draft, { type: 'SubmitPost' }, undefined],
    ['takes a submission back', p.pasts.pending, { type: 'ReturnPostToDraft' }, undefined],
    ['deletes a draft', p.pasts.draft, { type: 'DeletePost', because: 'asked' }, undefined],
    ['approves nothing', p.pasts.pending, { type: 'ApprovePost' }, 'right-missing'],
    ['rejects nothing', p.pasts.pending, { type: 'RejectPost', reason: null }, 'right-missing'],
    ['schedules nothing', p.pasts.draft, { type: 'SchedulePost', scheduledFor: null }, 'right-missing'],
    ['publishes nothing', p.pasts.draft, { type: 'PublishPostNow' }, 'right-missing'],
    ['voids no approval', p.pasts.approved, { type: 'ReturnPostToDraft' }, 'right-missing'],
    ['deletes no approved post', p.pasts.approved, { type: 'DeletePost', because: 'asked' }, 'right-missing'],
  ]
  it.each(acts)('%s', (_, past, command, reason) => {
    expect(given(...past).when(command, as('write')).reason).toBe(reason)
  })
  it('writes drafts and submissions, and schedules no new post', () => {
    for (const first of ['draft', 'pending'] as const)
      expect(given().when({ ...p.write, as: first }, as('write')).reason).toBeUndefined()
    expect(given().when({ ...p.write, as: 'scheduled' }, as('write')).reason).toBe('right-missing')
  })
})

describe('a viewer', () => {
  it('changes nothing', () => {
    expect(given().when(p.write, as('read')).reason).toBe('right-missing')
    expect(given(...p.pasts.draft).when({ type: 'SubmitPost' }, as('read')).reason).toBe('right-missing')
    expect(abilitiesFor(fold(p.pasts.draft), as('read').acting)).toEqual([])
  })
})

describe('an own post, where own approvals are refused', () => {
  const refused = as('approve', { mayApproveOwn: false })
  const text = by('ada', p.written)
  const submitted = by('ada', p.submitted)

  it.each<readonly [string, readonly PostEvent[], PostCommand]>([
    ['approved', [text, submitted], { type: 'ApprovePost' }],
    ['scheduled', [text], { type: 'SchedulePost', scheduledFor: p.tomorrow }],
    ['published now', [text], { type: 'PublishPostNow' }],
  ])('is not %s by its writer, but by another person', (_, past, command) => {
    expect(given(...past).when(command, refused).reason).toBe('own-post')
    const another = { ...refused, acting: { ...refused.acting, userId: 'bob' } }
    expect(given(...past).when(command, another).reason).toBeUndefined()
    expect(given(...past).when(command, as('approve')).reason).toBeUndefined()
  })
  it('is not scheduled as it is written', () => {
    expect(given().when({ ...p.write, as: 'scheduled' }, refused).reason).toBe('own-post')
  })
  it('is that of who wrote the current text or chose the current image', () => {
    const revised = by('bob', { type: 'PostContentRevised', data: { content: 'Other words', generationId: null } })
    const past = [text, revised, submitted]
    expect(given(...past).when({ type: 'ApprovePost' }, refused).reason).toBeUndefined()
    const image = by('ada', { type: 'PostImageReplaced', data: { imageUrl: 'https://img.example/a.png' } })
    expect(given(text, revised, image, submitted).when({ type: 'ApprovePost' }, refused).reason).toBe('own-post')
  })
  it('offers no approval to its writer', () => {
    const post = fold([text, submitted])
    expect(abilitiesFor(post, refused.acting)).not.toContain('approve')
    expect(abilitiesFor(post, { ...refused.acting, userId: 'bob' })).toContain('approve')
    expect(abilitiesFor(post, refused.acting)).toContain('reject')
  })
  it('of a process is nobody’s own', () => {
    expect(given(p.written, p.submitted).when({ type: 'ApprovePost' }, refused).reason).toBeUndefined()
  })
})

describe('an assignment', () => {
  const assign = { type: 'AssignPost', memberId: 'ben' } as const

  it('names a member who works for the client', () => {
    const outcome = given(...p.pasts.draft).when(assign, as('write'))
    expect(outcome.events).toEqual([{ type: 'PostAssigned', data: { memberId: 'ben' } }])
    expect(outcome.again()).toEqual([])
    expect(given(...p.pasts.draft).when(assign, { ...as('write'), isAssignable: false }).reason).toBe('not-assignable')
  })
  it('is taken back, whoever the member was', () => {
    const past = given(...p.pasts.draft, { type: 'PostAssigned', data: { memberId: 'ben' } })
    const outcome = past.when({ ...assign, memberId: null }, { ...as('write'), isAssignable: false })
    expect(outcome.state.assignedTo).toBeNull()
  })
})
