/** Whether an answer matches the document and reveals no internals of the server. */
import Ajv from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv'
import type { Operation, Schema } from './document.ts'
import type { Answered, Outgoing } from './send.ts'

/** Node answers a head that is too long by itself, before any route is known. */
const longestHead = 15_000
const inside =
  /node_modules|\bat [\w.<>]+ \(|\.(?:ts|js):\d+|\/(?:tmp|home|usr|work|app)\/|SQLITE|constraint failed|\bSELECT\b.*\bFROM\b|\bINSERT INTO\b|Mongo|ECONN|ENOENT|\[object|\bundefined\b|\bNaN\b/
const longestSentence = 400

export class Judge {
  readonly #ajv = new Ajv({ strict: false, validateFormats: false, allErrors: false })
  readonly #known = new Map<Schema, ValidateFunction>()

  /** What is wrong with an answer; null when nothing is. */
  problemWith(operation: Operation, sent: Outgoing, { status, headers, text }: Answered): string | null {
    if (status >= 500)
      return status === 503 && operation.responses[503] && isNotSetUp(text)
        ? null
        : `a ${status}: ${text.slice(0, 300)}`
    if (status === 431) return headLength(sent) > longestHead ? null : 'a 431 for a short head'
    const documented = operation.responses[String(status)]
    if (!documented) return `${status} is not documented: ${text.slice(0, 200)}`
    if (headers['x-content-type-options'] !== 'nosniff') return 'without the headers that every answer has'
    if (sent.method === 'HEAD') return text === '' ? null : 'a body for HEAD'
    if (status >= 400) return this.#error(documented, sent, { status, headers, text })
    if (status === 302) return headers.location === undefined ? 'a redirect to nowhere' : null
    const type = String(headers['content-type'] ?? '').split(';')[0] ?? ''
    if (!documented.content) return text === '' ? null : 'a body where none is documented'
    const content = documented.content[type]
    if (!content) return `${type} is not documented for ${status}`
    if (!content.schema) return null
    return type === 'text/event-stream' ? this.#events(content.schema, text) : this.#matches(content.schema, text)
  }

  #error(
    documented: Operation['responses'][string],
    { url, bytes }: Outgoing,
    { status, headers, text }: Answered,
  ): string | null {
    const type = String(headers['content-type'] ?? '').split(';')[0] ?? ''
    const content = documented.content?.[type]
    if (!content) return `${type || 'no type'} is not documented for ${status}`
    let sentence = text
    if (type === 'application/problem+json') {
      const flaw = this.#matches(content.schema ?? {}, text)
      if (flaw) return flaw
      const problem = JSON.parse(text) as {
        readonly status: number
        readonly type: string
        readonly title: string
        readonly detail: string
      }
      if (problem.status !== status) return `a problem that says ${problem.status}`
      if (!/^\/problems\/[a-z-]+$/.test(problem.type) || problem.title === '')
        return `a problem without a stable type: ${text.slice(0, 200)}`
      sentence = problem.detail
    }
    // What the caller wrote may be named.
    const own = inside.exec(sentence)?.[0]
    if (own !== undefined && !decodeURIComponentSafely(url).includes(own) && bytes?.includes(own) !== true)
      return `an error that tells of its inside: ${sentence.slice(0, 300)}`
    return /^[^\n\r\0]{3,}$/.test(sentence) && sentence.length <= longestSentence
      ? null
      : `not one short sentence: ${JSON.stringify(sentence.slice(0, 200))}, ${sentence.length} characters`
  }

  #matches(schema: Schema, text: string): string | null {
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      return `not JSON: ${text.slice(0, 200)}`
    }
    const validate = this.#known.get(schema) ?? this.#ajv.compile(schema)
    this.#known.set(schema, validate)
    return validate(body) ? null : `breaks its schema: ${this.#ajv.errorsText(validate.errors)}: ${text.slice(0, 300)}`
  }

  #events(schema: Schema, text: string): string | null {
    for (const event of text.split('\n\n').slice(0, -1)) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data === undefined) continue
      const name = /^event: (.*)$/m.exec(event)?.[1]
      const flaw = this.#matches(schema, data)
      if (flaw) return `${name ?? 'an event'} ${flaw}`
    }
    return null
  }
}

/** What this server was not given, which the document says may be: the writer's model, and payments. */
const notSetUp: Readonly<Record<string, RegExp>> = {
  '/problems/no-model': /^AI is not connected on this server/,
  '/problems/payments-not-set-up': /./,
}

function isNotSetUp(text: string): boolean {
  if (!text.startsWith('{')) return false
  const { type, detail } = JSON.parse(text) as { readonly type: string; readonly detail: string }
  return notSetUp[type]?.test(detail) ?? false
}

const headLength = ({ url, headers }: Outgoing) =>
  url.length + Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
