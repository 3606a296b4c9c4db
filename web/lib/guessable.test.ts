import { expect, it } from 'vitest'
import { commonPasswords } from '../../api/features/auth/common-passwords.ts'
import { guessable } from './guessable.ts'

const common = new Set(commonPasswords)
const of = (password: string, email = 'ada.lovelace@northstar.example') => guessable(password, email, common)

it.each(['password', 'iloveyou', '12345678', 'qwertyuiop'])('%s is one of the most used', (password) => {
  expect(of(password)).toBe('common')
})
it.each(['PassWord', 'password1', 'Password!', 'Password1!', 'sunshine2024'])(
  '%s is one of them in other clothes',
  (password) => {
    expect(of(password)).toBe('common')
  },
)
it.each(['ada.lovelace', 'AdaLovelace', 'lovelace1815', 'Lovelace!', 'ada.lovelace@northstar.example'])(
  '%s says who they are',
  (password) => {
    expect(of(password)).toBe('obvious')
  },
)
it.each(['socialai', 'SocialAI', 'social-ai', 'SocialAI2024'])('%s is the name of the product', (password) => {
  expect(of(password)).toBe('obvious')
})
it.each(['correct horse', 'my password is long', 'sunshine over Lisbon', 'michelle83749201', 'lovelace and tea'])(
  '%s is no easy guess',
  (password) => {
    expect(of(password)).toBeNull()
  },
)
it('without an e-mail, nothing is somebody’s own but the product', () => {
  expect(of('lovelace1815', '')).toBeNull()
  expect(of('socialai1', '')).toBe('obvious')
})
it('a short name within an e-mail is nobody’s', () => {
  expect(of('ada1!', 'ada@northstar.example')).toBeNull()
})
it.each(['        ', 'aaaaaaaa', 'AaAaAaAa', 'ADA.LOVELACE', 'ada.lovelace@northstar.example'])(
  '%j, which the server refuses, is warned of',
  (password) => {
    expect(of(password)).toBe('obvious')
  },
)
