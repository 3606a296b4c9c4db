/** An HTML template that escapes every inserted value, unless it is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | null | Html | readonly Html[]

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((text, string, index) => text + rendered(parts[index - 1] ?? null) + string))
}

function rendered(part: Part): string {
  if (part === null) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return part.map(({ text }) => text).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Safe inside an element and inside a quoted attribute. Characters that HTML can't contain become U+FFFD. */
const escaped = (text: string): string =>
  text.replace(/[\0\p{Cs}]/gu, '\uFFFD').replace(/[&<>"']/g, (character) => entities[character] ?? '')
