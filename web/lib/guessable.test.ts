import { expect, it } from 'vitest'
import { commonest } from '../build/common-passwords.ts'
import { guessable } from './guessable.ts'

const common = new Set(commonest)
const of = (password: string, email = 'ada.lovelace@northstar.example') => guessable(password, email, common)

it.each(['password', 'iloveyou', '12345678', 'qwertyuiop'])('%s is one of the most used', (password) => {
  expect(of(password)).toBe('common')
})
it.each(['PassWord', 'password1', 'Password!', 'Password1!', 'sunshine2024'])('%s is one of them in other clothes', (password) => {
  expect(of(password)).toBe('common')
})
it.each(['ada.lovelace', 'AdaLovelace', 'lovelace1815', 'Lovelace!', 'ada.lovelace@northstar.example'])('%s says who they are', (password) => {
  expect(of(password)).toBe('own')
})
it.each(['socialai', 'SocialAI', 'social-ai', 'SocialAI2024'])('%s is the name of the product', (password) => {
  expect(of(password)).toBe('own')
})
it.each(['correct horse', 'my password is long', 'sunshine over Lisbon', 'michelle83749201', 'lovelace and tea'])('%s is no easy guess', (password) => {
  expect(of(password)).toBeNull()
})
it('without an e-mail, nothing is somebody’s own but the product', () => {
  expect(of('lovelace1815', '')).toBeNull()
  expect(of('socialai1', '')).toBe('own')
})
it('a short name within an e-mail is nobody’s', () => {
  expect(of('ada1!', 'ada@northstar.example')).toBeNull()
})
it('of the list there is what anybody could choose here: 3,000 of 8 characters and more, in lower case', () => {
  expect(commonest.length).toBe(3000)
  expect(commonest.filter((each) => each.length < 8 || each !== each.toLowerCase() || /\s/.test(each))).toEqual([])
  expect(new Set(commonest).size).toBe(3000)
})
