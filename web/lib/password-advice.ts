/** Loaded when somebody begins to choose a password. Nothing of it leaves the browser. */
import words from 'virtual:common-passwords'
import { guessable, type Guessable } from './guessable.ts'

const common = new Set(words.split(' '))

export const guessableIn = (password: string, email: string): Guessable | null => guessable(password, email, common)
