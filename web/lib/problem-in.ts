/** The problem (RFC 9457) in an error of `callForProblem`; null for any other error, such as that of a proxy. */
export function problemIn(error: unknown): { readonly type: string; readonly asError: Error } | null {
  const [, status, json] = /^(\d{3}): (\{[^]*\})$/.exec(error instanceof Error ? error.message : '') ?? []
  if (status === undefined || json === undefined) return null
  try {
    const { type, detail } = JSON.parse(json) as { readonly type: string; readonly detail: string }
    return { type: type.replace('/problems/', ''), asError: new Error(`${status}: ${detail}`) }
  } catch {
    return null
  }
}
