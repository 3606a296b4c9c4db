/** The plan's limit on clients. The server decides; the limit here only disables the button. */
export const clientLimit = 10
