/** The name of a person with a link for everyone: asked for with their first act. */
import { useState, type ReactNode } from 'react'
import { call } from '../../lib/call.ts'
import { TextField } from '../../ui/TextField.tsx'
import type { ReviewCard } from './card.ts'
import { askedWith, keepSession } from './kept-session.ts'
import { isLongName, nameProblem } from './lengths.ts'
import { words } from './words.ts'

export interface ReviewerName {
  /** Null once it is known. */
  readonly field: (showsErrors: boolean) => ReactNode
  readonly isWrong: boolean
  /** Before the act. */
  readonly tell: () => Promise<void>
}

export function useReviewerName({ token, agency, asksName }: Pick<ReviewCard, 'token' | 'agency' | 'asksName'>) {
  const [name, setName] = useState('')
  const problem = asksName ? nameProblem(name) : undefined
  const named: ReviewerName = {
    isWrong: problem !== undefined,
    field: (showsErrors) =>
      asksName && (
        <TextField
          label={words.yourName}
          value={name}
          onChange={setName}
          autoComplete="name"
          required
          hint={words.nameForComment(agency)}
          error={showsErrors || isLongName(name) ? problem : undefined}
        />
      ),
    async tell() {
      if (!asksName) return
      const { session } = await call('POST /api/reviews/name', { body: { ...askedWith(token), name: name.trim() } })
      keepSession(token, session)
    },
  }
  return named
}
