/** Messages for zod's issues where a schema has none of its own. */
import { z } from 'zod'

z.config({
  customError: (issue) => {
    switch (issue.code) {
      case 'invalid_type':
        return issue.input === undefined || issue.input === null ? 'Required' : `Expected ${article(issue.expected)}`
      case 'invalid_value':
        return issue.input === undefined ? 'Required' : `Choose one of: ${issue.values.map(String).join(', ')}`
      case 'unrecognized_keys':
        return `Unknown field: ${issue.keys.join(', ')}`
      case 'too_big':
        return issue.origin === 'string' ? `Use ${String(issue.maximum)} characters or fewer` : undefined
      case 'too_small':
        return issue.origin === 'string' ? 'Required' : undefined
      default:
        return undefined
    }
  },
})

const article = (type: string) => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)
