import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { boundsTable } from './bounds-table.ts'
import { routeBounds } from './bounds.ts'

it('docs/bounds.md matches the code (npm run bounds writes it)', () => {
  expect(readFileSync('docs/bounds.md', 'utf8')).toBe(boundsTable())
})
it('every route that reads a body limits its size and its time', () => {
  for (const { method, path, body, maxBodyBytes, bodyMs } of routeBounds) {
    const isBounded =
      body === 'none'
        ? maxBodyBytes === 0 && bodyMs === null
        : maxBodyBytes > 0 && maxBodyBytes <= 15 * 1024 * 1024 && bodyMs !== null
    expect(`${method} ${path}: ${isBounded}`).toBe(`${method} ${path}: true`)
  }
})
