/** Compares two texts word by word, in any script. */
import { diffArrays } from 'diff'
import { segmentsOf } from '../../../api/contract/index.ts'

export interface Part {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Two long texts that share nothing are not worth a longer look: they are told apart as wholes. */
const maxMs = 300

const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const wordsOf = (text: string): string[] => [...segmentsOf(words, text)]

export function differences(before: string, after: string): readonly Part[] {
  const found = diffArrays(wordsOf(before), wordsOf(after), { timeout: maxMs })
  if (!found) return [part('removed', before), part('added', after)]
  return joined(
    found.map(({ added, removed, value }) => part(added ? 'added' : removed ? 'removed' : 'same', value.join(''))),
  )
}

/** Several words in a row that changed are one change, not one with each space between them kept. */
function joined(parts: readonly Part[]): Part[] {
  const result: Part[] = []
  let removed = ''
  let added = ''
  const settle = () => {
    if (removed !== '') result.push(part('removed', removed))
    if (added !== '') result.push(part('added', added))
    removed = added = ''
  }
  parts.forEach(({ kind, text }, index) => {
    if (kind === 'removed') removed += text
    else if (kind === 'added') added += text
    else if (removed !== '' && added !== '' && /^[ \t]+$/.test(text) && index < parts.length - 1) {
      removed += text
      added += text
    } else {
      settle()
      result.push(part('same', text))
    }
  })
  settle()
  return result
}

const part = (kind: Part['kind'], text: string): Part => ({ kind, text })
