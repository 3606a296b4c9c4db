/** The comparison of an earlier build's answers with today's finds what was lost, and lets pass what was added. */
import { describe, expect, it } from 'vitest'
import { lossesOf, nothingMoves } from './losses.ts'

const find = (before: unknown, after: unknown, place = '/api/posts/a', moving = nothingMoves) =>
  lossesOf(before, after, moving, place)

describe('The comparison of answers', () => {
  it.each<readonly [string, unknown, unknown, readonly string[]]>([
    ['a changed value', { a: { b: 1 } }, { a: { b: 2 } }, ['/api/posts/a.a.b: 1 before, 2 after']],
    ['a missing field', { a: null }, {}, ['/api/posts/a.a: null before, undefined after']],
    ['a missing item', [{ id: 1 }, { id: 2 }], [{ id: 1 }], ['/api/posts/a: 2 before, 1 after']],
    ['another order', [{ id: 1 }, { id: 2 }], [{ id: 2 }, { id: 1 }], ['[0].id', '[1].id']],
    ['an act that is refused now', { can: ['edit', 'delete'] }, { can: ['edit'] }, ['.can: delete is missing']],
    ['another name', { actor: { name: 'a@b.c' } }, { actor: { name: 'b' } }, ['.actor.name: "a@b.c" before']],
    ['an address cut short elsewhere', { email: 'a@b.c' }, { email: 'a' }, ['.email: "a@b.c" before, "a" after']],
    ['an error', [], 'Error: 404', ['before, "Error: 404" after']],
  ])('finds %s', (_, before, after, lines) => {
    const found = find(before, after)
    expect(found).toHaveLength(lines.length)
    for (const [index, line] of lines.entries()) expect(found[index]).toContain(line)
  })

  it('lets pass added fields, added acts, and a history that has grown', () => {
    expect(find({ a: 1, can: ['edit'] }, { a: 1, b: 2, can: ['delete', 'edit'] })).toEqual([])
    expect(find([{ a: 1 }], [{ a: 1 }, { a: 2 }], '/api/posts/a/history')).toEqual([])
    expect(find([{ a: 1 }], [{ a: 2 }, { a: 1 }], '/api/audit/checkpoints')).toEqual([])
    expect(find([{ a: 1 }], [{ a: 2 }, { a: 1 }], '/api/posts/a/history')).toHaveLength(1)
  })

  it('lets pass a name that was an address and is its first part', () => {
    expect(find([{ actor: { name: 'a@b.c' } }], [{ actor: { name: 'a' } }], '/api/posts/a/history')).toEqual([])
  })

  it('leaves out posts that move, and the fields that count them', () => {
    const moving = { ids: new Set(['b']), fields: new Set(['activePosts']) }
    const before = [{ id: 'a' }, { id: 'b', status: 'scheduled' }]
    expect(find(before, [{ id: 'a' }, { id: 'b', status: 'published' }], '/api/posts', moving)).toEqual([])
    expect(find({ activePosts: 1 }, { activePosts: 2 }, '/api/dashboard', moving)).toEqual([])
    expect(find(before, before.slice(1), '/api/posts', moving)).toHaveLength(1)
  })
})
