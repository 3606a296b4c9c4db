/** Generates `docs/bounds.md` from the bounds in code. `npm run bounds` writes it; `bounds.test.ts` compares it. */
import { routeBounds, seconds, sharedBounds, size, type RouteBounds } from './bounds.ts'

const rowOf = ({ method, path, caller, maxBodyBytes, bodyMs, body, points, answer }: RouteBounds): string =>
  `| \`${method} ${path}\` | ${caller} | ${body === 'none' || bodyMs === null ? '' : `${size(maxBodyBytes)}, ${seconds(bodyMs)}, ${body}`} | ${points} | ${answer} |`

/** The whole file. */
export const boundsTable = (): string =>
  [
    '# Bounds',
    '',
    'Nothing that a caller sends is read, kept or answered without a bound that is known before. This page is made from the code: `npm run bounds`.',
    '',
    '## All requests together',
    '',
    '| what | at most |',
    '|---|---|',
    ...sharedBounds.map(([name, sentence]) => `| ${name} | ${sentence} |`),
    '',
    '## Each route',
    '',
    'A body is held in memory or in a file. Points are of the address or agency that asks. An answer in JSON has at most some 2 MB; a list goes on at `Link: rel=next`.',
    '',
    '| route | caller | body at most, within, held in | points | answer |',
    '|---|---|---|---|---|',
    ...routeBounds.map(rowOf),
    '',
  ].join('\n')
