import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { openEmbeddedReadStore } from './embedded.ts'
import { matching } from './sql-words.ts'

it.each([
  ['et ee te tt ea ta ae at', '"61et"*'],
  ['an early bird a worm', '"61early"* AND "61bird"*'],
  ['eta et tea', '"61eta"* AND "61tea"*'],
  ['eta et', '"61eta"*'],
  ['a 茶', '"61茶"*'],
  ['a b c', null],
])('only the longest words are looked up: %s', (words, expected) => {
  expect(matching('a', words.split(' '))).toBe(expected)
})

it('the other words are tested on what the longest find', async () => {
  const folder = await temporaryFolder('read-store')
  onTestFinished(() => removeFolder(folder))
  const store = await openEmbeddedReadStore(join(folder, 'views.db'))
  onTestFinished(() => store.close())
  await store.ensure('posts_v1', [['agency']], 'agency')
  const texts = ['early birds are no worm', 'early birds are no one', 'early worm no are']
  const writes = texts.map((words, index) => ({
    id: `${index}`,
    position: '1',
    doc: { id: index, agency: 'a', words },
  }))
  await store.write('posts_v1', writes, '1')
  const found = async (words: string) =>
    (await store.find('posts_v1', { where: { agency: 'a' }, words })).items.map(({ id }) => id)
  expect(await found('early birds are no o')).toEqual([1])
  expect(await found('early are no wo')).toEqual([0, 2])
  expect(await found('early birds are no x')).toEqual([])
})
