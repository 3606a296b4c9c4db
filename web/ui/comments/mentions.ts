/** Mentions in a text: `@` and the name of a member. */

export interface Mentionable {
  readonly id: string
  readonly name: string
}

const maxOffered = 6
const maxName = 40

/** What is typed behind an `@` before the caret; null without one. */
export function typedName(text: string, caret: number): string | null {
  const before = text.slice(Math.max(0, caret - maxName), caret)
  const at = before.lastIndexOf('@')
  if (at < 0) return null
  const character = before[at - 1]
  const begins = character === undefined || character.trim() === ''
  const name = before.slice(at + 1)
  return begins && !name.includes('\n') ? name : null
}

/** Those whose name goes on as it was typed. */
export const offered = (people: readonly Mentionable[], typed: string | null): readonly Mentionable[] =>
  typed === null
    ? []
    : people
        .filter(({ name }) => {
          const [a, b] = [name.toLocaleLowerCase(), typed.toLocaleLowerCase()]
          return a.startsWith(b) && a !== b.trimEnd()
        })
        .slice(0, maxOffered)

/** The text with the whole name, and where the caret goes on. */
export function withName(text: string, caret: number, name: string): { text: string; caret: number } {
  const at = text.lastIndexOf('@', caret - 1)
  const before = `${text.slice(0, at)}@${name} `
  return { text: before + text.slice(caret), caret: before.length }
}

export const mentionedIn = (text: string, people: readonly Mentionable[]): string[] =>
  people.filter(({ name }) => name !== '' && text.includes(`@${name}`)).map(({ id }) => id)
