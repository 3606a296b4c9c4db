/**
 * The folders of `api` keep their order: no import of a later room, no cycle. Test code stays out of production code
 * everywhere.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { cyclesOf, importsOf, isTestCode, rooms, sourcesIn } from './imports.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const all = ['api', 'domain', 'projections', 'web'].flatMap((folder) => importsOf(root, folder))
const production = all.filter(({ from }) => !isTestCode(from))
const within = production.filter(({ from, to }) => from.startsWith('api/') && to.startsWith('api/'))

const roomOf = (path: string) => path.split('/')[1] ?? ''
/** `features/posts`, `processes/planner`; a file at the room's root belongs to the room. */
const topicOf = (path: string) => path.split('/').slice(1, -1).slice(0, 2).join('/')
const orderOf = (room: string) => rooms.findIndex((name) => name === room)
const shown = ({ from, to }: { readonly from: string; readonly to: string }) => `${from} -> ${to}`

describe('Folders of api', () => {
  it('are the rooms and testing, and no file lies beside them', () => {
    expect(readdirSync(`${root}api`).toSorted()).toEqual([...rooms, 'testing'].toSorted())
  })
  it('import only rooms before their own', () => {
    expect(within.length).toBeGreaterThan(1_000)
    expect(within.filter(({ from, to }) => orderOf(roomOf(to)) > orderOf(roomOf(from))).map(shown)).toEqual([])
  })
  it.each(['features', 'processes', 'operations', 'sandbox', 'networks'])('of %s have no cycle', (room) => {
    const own = within.filter(({ from, to }) => roomOf(from) === room && roomOf(to) === room)
    const topics = own
      .map(({ from, to }) => [topicOf(from), topicOf(to)] as const)
      .filter(([from, to]) => from !== room && to !== room)
    expect(cyclesOf(topics)).toEqual([])
  })
  it('have no cycle among files, types included', () => {
    expect(cyclesOf(within.map(({ from, to }) => [from, to] as const))).toEqual([])
  })
  it('of production code import no test code', () => {
    expect(production.filter(({ to }) => isTestCode(to)).map(shown)).toEqual([])
  })
  it('hold no production file that only tests import', () => {
    const imported = new Set(production.map(({ to }) => to))
    const files = ['api', 'domain', 'projections'].flatMap((folder) => sourcesIn(root, folder))
    const unused = files.filter((file) => !isTestCode(file) && !file.startsWith('api/bin/') && !imported.has(file))
    expect(files.length).toBeGreaterThan(500)
    expect(unused).toEqual([])
  })
  it('are not imported by domain and projections', () => {
    const outside = production.filter(({ from, to }) => /^(domain|projections)\//.test(from) && to.startsWith('api/'))
    expect(outside.map(shown)).toEqual([])
  })
})

describe('Tests', () => {
  it('create temporary folders with one function', () => {
    const files = ['api', 'domain', 'projections', 'web', 'e2e', 'bench'].flatMap((folder) => sourcesIn(root, folder))
    const creating = files
      .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules'))
      .filter((file) => /[ (]mkdtemp(?:Sync)?\(/.test(readFileSync(`${root}${file}`, 'utf8')))
    expect(creating).toEqual(['domain/test/folder.ts'])
  })
})

describe('The build', () => {
  it('leaves test code out of dist', { tags: 'long' }, () => {
    const list = execFileSync(`${root}node_modules/.bin/tsc`, ['-p', 'tsconfig.build.json', '--listFilesOnly'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    const built = list
      .split('\n')
      .filter((file) => file.startsWith(root) && !file.includes('node_modules'))
      .map((file) => file.slice(root.length))
    expect(built).toContain('api/bin/start.ts')
    expect(built.filter(isTestCode)).toEqual([])
  })
})

describe('The cycle finder', () => {
  it('finds a cycle and its members', () => {
    const edges = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
      ['c', 'd'],
    ] as const
    expect(cyclesOf(edges)).toEqual([['a', 'b', 'c']])
    expect(cyclesOf(edges.slice(1))).toEqual([])
  })
})
