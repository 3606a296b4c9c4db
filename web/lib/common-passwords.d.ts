/** Made by `web/build/common-passwords.ts`. */
declare module 'virtual:common-passwords' {
  /** The commonest first, with spaces between. */
  const words: string
  export default words
}
