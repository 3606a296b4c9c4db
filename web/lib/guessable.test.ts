import { expect, it } from 'vitest'
import { commonPasswords } from '../../api/features/auth/common-passwords.ts'
import { guessable } from './guessable.ts'

const common = new Set(commonPasswords)
const of = (password: string, email = 'ada.lovelace@northstar.example') => guessable(password, email, common)

it.each(['password', 'iloveyou', '12345678', 'qwertyuiop'])('%s is a common password', (password) => {
  expect(of(password)).toBe('common')
})
it.each(['PassWord', 'password1', 'Password!', 'Password1!', 'sunshine2024'])(
  '%s is a variation of a common password',
  (password) => {
    expect(of(password)).toBe('common')
  },
)
it.each(['ada.lovelace', 'AdaLovelace', 'lovelace1815', 'Lovelace!', 'ada.lovelace@northstar.example'])(
  "%s contains the user's name or email address",
  (password) => {
    expect(of(password)).toBe('obvious')
  },
)
it.each(['socialai', 'SocialAI', 'social-ai', 'SocialAI2024'])("%s contains the product's name", (password) => {
  expect(of(password)).toBe('obvious')
})
it.each(['correct horse', 'my password is long', 'sunshine over Lisbon', 'michelle83749201', 'lovelace and tea'])(
  '%s is not guessable',
  (password) => {
    expect(of(password)).toBeNull()
  },
)
it("without an email address, only the product's name is obvious", () => {
  expect(of('lovelace1815', '')).toBeNull()
  expect(of('socialai1', '')).toBe('obvious')
})
it('a short name from the email address is not obvious', () => {
  expect(of('ada1!', 'ada@northstar.example')).toBeNull()
})
it.each(['        ', 'aaaaaaaa', 'AaAaAaAa', 'ADA.LOVELACE', 'ada.lovelace@northstar.example'])(
  '%j gets a warning before the server refuses it',
  (password) => {
    expect(of(password)).toBe('obvious')
  },
)
