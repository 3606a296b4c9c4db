import { callWords } from './call-words.ts'

/** Also by the messages of the browsers. */
export const isFailedImport = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message === callWords.failedImport || /dynamically imported module|module script failed/i.test(error.message))

/** The server's sentence without the status, or that of a program part that could not be fetched. */
function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (isFailedImport(error)) return callWords.failedImport
  return message.replace(/^\d+: ?/, '').trim() || callWords.unknown
}

/** Turns an error into a sentence for the user: without the status, and naming a field once. */
export function errorText(error: unknown): string {
  const sentence = sentenceOf(error)
  const [label = '', ...rest] = sentence.split(': ')
  const text = rest.join(': ')
  return text.startsWith(`${label} `) ? text : sentence
}

export const statusOf = (error: unknown): number | null => {
  const status = error instanceof Error ? /^(\d{3}):/.exec(error.message)?.[1] : undefined
  return status === undefined ? null : Number(status)
}

/** `newPassword` -> `New password: `, as the server begins a 400 about a field. */
const labelOf = (field: string) =>
  `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}: `

/** The fields that a 400 names; null for any other error. */
export const fieldNamedBy = <const Field extends string>(error: unknown, fields: readonly Field[]): Field | null =>
  statusOf(error) === 400 ? (fields.find((field) => sentenceOf(error).startsWith(labelOf(field))) ?? null) : null

/** The sentence to show beneath a field, without the field's name in front. */
export function textUnder(field: string, error: unknown): string {
  const text = sentenceOf(error)
  const label = labelOf(field)
  return text.startsWith(label) ? text.slice(label.length) : text
}
