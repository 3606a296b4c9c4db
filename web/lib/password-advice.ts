/** Loaded when the user begins to choose a password. No input leaves the browser. */
import words from 'virtual:common-passwords'
import type { PasswordFlaw } from '../../api/contract/password-rule.ts'
import { guessable } from './guessable.ts'

const common = new Set(words.split(' '))

export const guessableIn = (password: string, email: string): PasswordFlaw | null => guessable(password, email, common)
