/** Decides whether a model's answer can be used, and otherwise explains the fault to the model and the user. Pure. */
import { problemsWith } from '../../../domain/core/preflight.ts'
import { textLength, textLimits } from '../../../domain/core/text-limits.ts'
import { networkNames } from '../../contract/network-names.ts'
import { contentOf } from './answer.ts'
import { inventedIn } from './invented.ts'
import { placeholdersIn } from './placeholders.ts'
import type { Brief } from './port.ts'

export interface Fault {
  /** For the model, in our own words. */
  readonly fault: string
  /** The model's words that are at fault. */
  readonly found: readonly string[]
  /** For the user. */
  readonly sentence: string
}

const listed = (found: readonly string[]) =>
  found
    .slice(0, 3)
    .map((each) => `“${each}”`)
    .join(', ')

/** @param answer the model's text, and whether it was cut off */
export function judged(
  brief: Brief,
  { text: answer, isCut }: { readonly text: string; readonly isCut: boolean },
): { readonly content: string } | Fault {
  if (isCut) {
    return {
      fault: 'it was so long that it was cut off before its end. Write a much shorter one.',
      found: [],
      sentence: "The AI's answer was cut off before its end, twice. Try again with a narrower topic.",
    }
  }
  const content = contentOf(answer)
  if (content === null) {
    return {
      fault: 'it is not the JSON object {"content": "…"}.',
      found: [],
      sentence: "The AI answered something that can't be read as a post, twice. Please try again.",
    }
  }
  if (content === '')
    return {
      fault: '`content` is empty.',
      found: [],
      sentence: 'The AI wrote nothing, twice. Please try again, or name a topic.',
    }
  return tooMuch(brief, content) ?? gapsIn(brief, content) ?? invented(brief, content) ?? { content }
}

function tooMuch({ platform }: Brief, content: string): Fault | null {
  const name = networkNames[platform]
  const limit = textLimits[platform]
  const length = textLength(platform, content)
  if (length > limit) {
    return {
      fault: `it has ${length} characters as ${name} counts them, and ${name} takes ${limit}. Write a shorter one.`,
      found: [],
      sentence: `The AI wrote more than the ${limit.toLocaleString('en-US')} characters that ${name} takes, twice. Try again with a narrower topic.`,
    }
  }
  const many = problemsWith({ platform, content, hasImage: true, image: null }).find(
    ({ reason }) => reason === 'too-many',
  )
  if (many?.reason !== 'too-many') return null
  return {
    fault: `it has ${many.count} ${many.of}, and ${name} takes ${many.limit}. Use at most 5.`,
    found: [],
    sentence: `The AI used more ${many.of} than ${name} takes, twice. Please try again.`,
  }
}

const givenIn = ({ client, topic, tone, rewrite }: Brief): string[] => {
  const fields = [client.name, client.description, client.industry, client.targetAudience, client.toneOfVoice]
  return [...fields.flatMap((field) => field ?? []), topic, tone, ...(rewrite ? [rewrite.text] : [])]
}

/** Placeholders that the model left to be filled in. */
function gapsIn(brief: Brief, content: string): Fault | null {
  const found = placeholdersIn(content, givenIn(brief))
  if (found.length === 0) return null
  return {
    fault: 'it has placeholders. Write it so that nothing is left to be filled in.',
    found,
    sentence: `The AI left placeholders, twice: ${listed(found)}. Try again, or add what belongs there to the topic.`,
  }
}

function invented(brief: Brief, content: string): Fault | null {
  const found = inventedIn(content, givenIn(brief))
  if (found.length === 0) return null
  return {
    fault: 'it states what the data does not: a link, an address, a phone number, a price or a discount. Leave it out.',
    found,
    sentence: `The AI added facts that it was not given: ${listed(found)}. The text was discarded, so that nothing untrue goes out. Try again, or add them to the topic if they are true.`,
  }
}
