import { runnerImport } from 'vite'

/**
 * Hands the server's list of common passwords to the web, as a module of its own that a form loads when a password is
 * typed.
 */
const name = 'virtual:common-passwords'

/**
 * @param file that exports `commonPasswords`, in lower case, without spaces. It is read when the module is loaded: the
 *   test runner hashes what its configuration imports, here 0.5 MB, anew for every module that it compiles.
 */
export const commonPasswordsModule = (file: string) => ({
  name: 'common-passwords',
  resolveId: (id: string) => (id === name ? `\0${name}` : null),
  async load(id: string) {
    if (id !== `\0${name}`) return null
    const { module } = await runnerImport<{ commonPasswords: readonly string[] }>(file)
    // Words in one text are a third smaller than a list of them.
    return `export default ${JSON.stringify(module.commonPasswords.join(' '))}`
  },
})
