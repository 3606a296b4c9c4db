/** The passwords that are guessed first, cut to those that anybody could choose here: the whole list would be most of the product. */
import passwords from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'json' }

const name = 'virtual:common-passwords'
const shortest = 8
const most = 3000

/** The commonest first. */
export const commonest: readonly string[] = passwords.filter(({ length }) => length >= shortest).slice(0, most)

export const commonPasswords = () => ({
  name: 'common-passwords',
  resolveId: (id: string) => (id === name ? `\0${name}` : null),
  // Words in one text are a third smaller than a list of them.
  load: (id: string) => (id === `\0${name}` ? `export default ${JSON.stringify(commonest.join(' '))}` : null),
})
