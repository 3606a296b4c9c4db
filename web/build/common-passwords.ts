/**
 * Hands the server's list of common passwords to the web, as a module of its own that a form loads when a password is
 * typed.
 */
const name = 'virtual:common-passwords'

/** @param passwords in lower case, without spaces */
export const commonPasswordsModule = (passwords: readonly string[]) => ({
  name: 'common-passwords',
  resolveId: (id: string) => (id === name ? `\0${name}` : null),
  // Words in one text are a third smaller than a list of them.
  load: (id: string) => (id === `\0${name}` ? `export default ${JSON.stringify(passwords.join(' '))}` : null),
})
