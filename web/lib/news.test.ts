import { describe, expect, it } from 'vitest'
import { newsLine, type Watched } from './news.ts'

const change = (kind: Watched['kind'], id: string, position: string, clientId = 'blue-cup') => ({ kind, id, clientId, position })
const posts: Watched = { kind: 'posts', clientId: 'blue-cup', lists: ['/posts'] }
const readAt = (address: string) => (address === '/nowhere' ? undefined : address === '/older' ? '03' : '05')

describe('what a list is told', () => {
  it('counts what changed since it was read', () => {
    const changes = [change('posts', 'a', '05'), change('posts', 'b', '06'), change('posts', 'c', '07')]
    expect(newsLine([posts], changes, '', readAt)).toBe('2 posts changed')
    expect(newsLine([posts], changes.slice(0, 2), '', readAt)).toBe('1 post changed')
    expect(newsLine([posts], changes.slice(0, 1), '', readAt)).toBeNull()
  })
  it('leaves out other clients and other things', () => {
    const changes = [change('posts', 'a', '06', 'red-cup'), change('accounts', 'b', '06')]
    expect(newsLine([posts], changes, '', readAt)).toBeNull()
    expect(newsLine([{ kind: 'posts', lists: ['/posts'] }], changes, '', readAt)).toBe('1 post changed')
  })
  it('is what the oldest of its parts has not seen', () => {
    expect(newsLine([{ ...posts, lists: ['/posts', '/older'] }], [change('posts', 'a', '04')], '', readAt)).toBe('1 post changed')
  })
  it('says nothing of a list that is not here yet', () => {
    expect(newsLine([{ ...posts, lists: ['/nowhere'] }], [change('posts', 'a', '06')], '09', readAt)).toBeNull()
  })
  it('names several kinds, and new figures', () => {
    const all = (['posts', 'clients', 'figures'] as const).map((kind): Watched => ({ kind, lists: ['/dashboard'] }))
    const changes = [change('posts', 'a', '06'), change('clients', 'b', '06'), change('figures', 'b', '06')]
    expect(newsLine(all, changes, '', readAt)).toBe('1 post and 1 client changed, new figures')
    expect(newsLine(all, changes.slice(2), '', readAt)).toBe('New figures')
  })
  it('says that there may be changes when they could not be told one by one', () => {
    expect(newsLine([posts], [], '06', readAt)).toBe('There may be changes')
    expect(newsLine([posts], [], '05', readAt)).toBeNull()
  })
})
