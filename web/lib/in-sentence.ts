/** A name as the server gives it, behind other words: what stands for a member without a name is no name. */
export const inSentence = (name: string): string =>
  name === 'A member of the agency' ? 'a member of the agency' : name
