/** Writes with a model. What it answers is judged before anybody may use it; a faulty answer is asked for once more. */
import { contentSoFar } from './answer.ts'
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
      const first = await ask(messages, signal, listener && partsFor(listener))
      const written = judged(brief, first.text)
      if ('content' in written) return { ...written, source: 'openai', model, tokens: first.tokens }

      listener?.again()
      const repaired = await ask(repairOf(messages, first.text, written.fault, written.found), signal, listener && partsFor(listener))
      const rewritten = judged(brief, repaired.text)
      if (!('content' in rewritten)) throw new WriterError(rewritten.sentence)
      return { ...rewritten, source: 'openai', model, tokens: sum(first.tokens, repaired.tokens) }
    },
  }
}

const sum = (a: number | null, b: number | null) => (a === null && b === null ? null : (a ?? 0) + (b ?? 0))

/** Tells of what is new in a text that grows. */
function partsFor(listener: Listener): (answer: string) => void {
  let told = ''
  return (answer) => {
    const text = contentSoFar(answer)
    if (text.length > told.length) listener.part(text.slice(told.length))
    told = text
  }
}
