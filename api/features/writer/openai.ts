/** Writes with a model. Its answer is checked before use; a faulty answer is requested once more. */
import { textLimits } from '../../../domain/core/text-limits.ts'
import type { Platform } from '../../../domain/core/values.ts'
import { answerReader } from './answer.ts'
import type { OpenAiSettings } from './config.ts'
import { judged } from './judge.ts'
import { openAiQuestions } from './openai-question.ts'
import { WriterError, type Listener, type Writer } from './port.ts'
import { promptFor, repairOf } from './prompt.ts'

export function createOpenAiWriter(settings: OpenAiSettings): Writer {
  const ask = openAiQuestions(settings)
  const { model } = settings

  return {
    source: 'openai',
    model,
    async write(brief, signal, listener) {
      const messages = promptFor(brief)
      const hearing = () => ({
        signal,
        maxCharacters: maxCharactersFor(brief.platform),
        onPiece: listener && partsFor(listener),
      })
      const first = await ask(messages, hearing())
      const written = judged(brief, first)
      if ('content' in written) return { ...written, source: 'openai', model, tokens: first.tokens }

      listener?.again()
      const repaired = await ask(repairOf(messages, first.text, written.fault, written.found), hearing())
      const rewritten = judged(brief, repaired)
      if (!('content' in rewritten)) throw new WriterError(rewritten.sentence)
      return { ...rewritten, source: 'openai', model, tokens: sum(first.tokens, repaired.tokens) }
    },
  }
}

const sum = (a: number | null, b: number | null) => (a === null && b === null ? null : (a ?? 0) + (b ?? 0))

/** In an answer, each character may be a six-character escape, and some text may surround the object. */
const maxAround = 2_000
const maxCharactersFor = (platform: Platform) => 8 * textLimits[platform] + maxAround

function partsFor(listener: Listener): (piece: string) => void {
  const read = answerReader()
  return (piece) => {
    const text = read(piece)
    if (text !== '') listener.part(text)
  }
}
