/** What counts as a test that proves a line of SECURITY.md or e2e/spec.md. */
import { expect, it } from 'vitest'
import { idsIn, leavesOut } from './test-ids.ts'

it.each([
  ["it('is refused [S12]', () => {})", ['S12']],
  ["  // it('is refused [S12]', () => {})", []],
  ["/* it('is refused [S12]', () => {}) */", []],
  ["/*\nit('is refused [S12]', () => {})\n*/", []],
  ["/**\n * it('is refused [S12]', () => {})\n */", []],
  ["// The proxy.\nit('is refused [S12, S23]', () => {})", ['S12', 'S23']],
])('The ids in %j are %j', (source, ids) => {
  expect([...idsIn(source)]).toEqual(ids)
})

it.each([
  "it.skip('is refused', () => {})",
  "it.skip.each([1])('is refused', () => {})",
  "describe.only('A request', () => {})",
  "it.todo('is refused')",
  "describe.skipIf(true)('A request', () => {})",
  "it.runIf(false)('is refused', () => {})",
  'test.skip()',
  "test.skip(true, 'Later')",
])('A file with %s leaves tests out', (source) => {
  expect(leavesOut(source)).toBe(true)
})

it.each([
  "describe.skipIf(process.env['TEST_SHAPE'] === 'distributed')('A backup', () => {})",
  "it.runIf(hasMongo)('is refused', () => {})",
  "test.skip(!hasNginx, 'nginx is not installed')",
  "// it.skip('is refused', () => {})",
])('A file with %s leaves no test out', (source) => {
  expect(leavesOut(source)).toBe(false)
})
