/** The same codes as the other command lines. */
export const exitCodes = { ok: 0, differs: 1, usage: 2, unavailable: 3, failed: 4, interrupted: 130 } as const
