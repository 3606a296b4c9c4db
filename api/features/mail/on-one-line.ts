/** Keeps a name on one line of a letter. */
export const onOneLine = (text: string): string => text.replaceAll(/\s/g, ' ')
