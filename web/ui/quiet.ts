/** Milliseconds after which a screen has what it needs itself. */
export const quiet = 2000
