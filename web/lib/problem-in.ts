/** The problem (RFC 9457) in an error of `callForProblem`; null for any other error, such as that of a proxy. */
export function problemIn(error: unknown): { readonly type: string; readonly asError: Error } | null {
  const message = error instanceof Error ? error.message : ''
  if (!/^\d{3}: \{/.test(message)) return null
  try {
    const { type, detail } = JSON.parse(message.slice('401: '.length)) as { readonly [field: string]: string }
    return { type: (type ?? '').replace('/problems/', ''), asError: new Error(`${message.slice(0, 3)}: ${detail}`) }
  } catch {
    return null
  }
}
