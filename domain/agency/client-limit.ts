export const clientLimit = 10
