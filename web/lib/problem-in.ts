interface Problem {
  readonly type: string
  readonly asError: Error
  /** Its further members. */
  readonly more: Readonly<Record<string, unknown>>
}
interface Sent extends Readonly<Record<string, unknown>> {
  readonly type?: string
  readonly detail?: string
}

/** The problem (RFC 9457) in an error of `callForProblem`; null for any other error, such as that of a proxy. */
export function problemIn(error: unknown): Problem | null {
  const message = error instanceof Error ? error.message : ''
  if (!/^\d{3}: \{/.test(message)) return null
  try {
    const { type, detail, ...more } = JSON.parse(message.slice('401: '.length)) as Sent
    const asError = new Error(`${message.slice(0, 3)}: ${detail}`)
    return { type: (type ?? '').replace('/problems/', ''), asError, more }
  } catch {
    return null
  }
}
