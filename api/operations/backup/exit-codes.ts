/** As the other command lines have them. */
export const exitCodes = { ok: 0, differs: 1, usage: 2, unavailable: 3, failed: 4, interrupted: 130 } as const
