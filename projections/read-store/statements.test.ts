import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { maxStatements, openedHere } from '../../domain/event-store/sqlite.ts'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { openEmbeddedReadStore } from './embedded.ts'

it('searches of any form keep a limited number of statements, and find the same', { tags: 'long' }, async () => {
  const folder = await temporaryFolder('read-store')
  onTestFinished(() => removeFolder(folder))
  const file = join(folder, 'views.db')
  const store = await openEmbeddedReadStore(file)
  onTestFinished(() => store.close())
  await store.ensure('posts_v1', [['agency', 'status', 'platform', 'due']], 'agency')
  const doc = { id: 'p', agency: 'a', status: '0', platform: '0', due: '1', words: 'a b c d e f g h' }
  await store.write('posts_v1', [{ id: 'p', position: '1', doc }], '1')

  const statementsAfter = async (words: string) => {
    await store.find('posts_v1', { where: { agency: 'a' }, words })
    return openedHere(file)?.keptStatements
  }
  expect(await statementsAfter('a b c')).toBe(await statementsAfter('a b c d'))

  const upTo = (count: number) => Array.from({ length: count }, (_, index) => String(index))
  let searches = 0
  for (const statuses of [1, 2, 3, 4, 5])
    for (const platforms of [1, 2, 3, 4])
      for (const order of ['asc', 'desc'] as const)
        for (const field of ['due', 'status', 'platform'])
          for (const more of [{}, { filter: { due: '1' } }, { words: 'a b c' }, { words: 'h g f e d c b a' }]) {
            const where = { agency: 'a', status: { in: upTo(statuses) }, platform: { in: upTo(platforms) } }
            const { items } = await store.find('posts_v1', { where, sort: { field, order }, ...more })
            expect(items.map(({ id }) => id)).toEqual(['p'])
            searches += 1
          }
  expect(searches).toBeGreaterThan(maxStatements)
  expect(openedHere(file)?.keptStatements).toBeLessThanOrEqual(maxStatements)
})
