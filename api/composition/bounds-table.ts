/** Generates `docs/bounds.md` from the bounds in code. `npm run bounds` writes it; `bounds.test.ts` compares it. */
import { routeBounds, seconds, sharedBounds, size, type RouteBounds } from './bounds.ts'

const rowOf = ({ method, path, caller, maxBodyBytes, bodyMs, body, points, answer }: RouteBounds): string =>
  `| \`${method} ${path}\` | ${caller} | ${body === 'none' || bodyMs === null ? '' : `${size(maxBodyBytes)}, ${seconds(bodyMs)}, ${body}`} | ${points} | ${answer} |`

/** The whole file. */
export const boundsTable = (): string =>
  [
    '# Bounds',
    '',
    'The server bounds everything that it reads, keeps and answers. The code generates this page: `npm run bounds`.',
    '',
    '## All requests together',
    '',
    '| resource | maximum |',
    '|---|---|',
    ...sharedBounds.map(([name, sentence]) => `| ${name} | ${sentence} |`),
    '',
    '## Each route',
    '',
    'A request body is held in memory or in a file. Points count against the agency or address of the client; reading the past costs one more for each 25 posts, and a search one more for each 1,000 posts that it looks at one by one. A JSON response has about 2 MB at most; `Link: rel=next` leads to the rest of a list.',
    '',
    '| route | client | request body: maximum, time, place | points | response |',
    '|---|---|---|---|---|',
    ...routeBounds.map(rowOf),
    '',
  ].join('\n')
