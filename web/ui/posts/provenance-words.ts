/** Describes the origin of a post's text in a sentence. */
import type { Rewrite } from '../../../api/contract/index.ts'

interface Provenance {
  readonly writer: string
  readonly model: string | null
  readonly topic: string
  readonly tone: string
  readonly edited: boolean
}

const isProvenance = (result: unknown): result is Provenance =>
  typeof result === 'object' && result !== null && 'writer' in result && 'topic' in result

const made: Readonly<Record<Rewrite, string>> = {
  shorter: 'made shorter',
  longer: 'made longer',
  casual: 'made more casual',
  'call-to-action': 'given a call to action',
}
const isRewrite = (how: string | undefined): how is Rewrite => how !== undefined && Object.hasOwn(made, how)

/**
 * Null where an event tells nothing of it: a person's own words. @param anew whether another text stood there before
 */
export function provenanceWords(result: unknown, anew: boolean): string | null {
  if (!isProvenance(result)) return null
  const { writer, model, topic, tone, edited } = result
  const how = /^rewrite: (\S+)$/.exec(topic)?.[1]
  const rest = edited ? '; edited by hand' : ''
  if (isRewrite(how))
    return `${anew ? 'Text' : 'Written, and'} ${made[how]} ${by(writer, model, 'by the built-in writer')}${rest}`
  const from = topic === 'regenerate' ? '' : `, from “${topic}”`
  return `${anew ? 'Text written anew' : 'Written'} ${by(writer, model, "by the built-in writer, from the client's profile")}${from}, ${tone}${rest}`
}

const by = (writer: string, model: string | null, unaided: string) =>
  writer === 'template' ? unaided : model === null ? 'by AI' : `by AI (${model})`
