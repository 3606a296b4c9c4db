/** Maps errors of the AI service to messages for the user, without the service's own words: they may quote the key. */
import { APIConnectionError, APIError } from 'openai'
import { shortWaitInWords } from '../../core/wait-in-words.ts'
import { nothingLost, WriterError } from './port.ts'

const safe = nothingLost
const tellOperator = 'Please tell the operator of this server.'

export const tookTooLong = () => new WriterError(`The AI service took too long. ${safe} Please try again.`)
export const brokeOff = () =>
  new WriterError(`The AI service's answer broke off in the middle. ${safe} Please try again.`)
export const declined = () =>
  new WriterError(`The AI declined to write this. ${safe} Try another topic or other words.`)
export const unreadable = () =>
  new WriterError(
    `The AI service's answer can't be read. ${safe} Please try again; if it goes on, tell the operator of this server.`,
  )

/** @param known the key, which must appear in no message and no log line */
export function writerErrorOf(error: unknown, known: string): WriterError {
  if (error instanceof WriterError) return error
  if (error instanceof APIConnectionError)
    return new WriterError(`The AI service can't be reached right now. ${safe} Please try again in a minute.`, {
      cause: new Error('The connection failed'),
    })
  if (!(error instanceof APIError)) return brokeOff()
  const { status } = error
  const cause = new Error(`The AI service answered ${status ?? 'in the middle of a stream'}${codeOf(error, known)}`)
  switch (status) {
    case undefined:
      return brokeOff()
    case 401:
    case 403:
      return new WriterError(`The AI service doesn't accept this server's key. ${safe} ${tellOperator}`, { cause })
    case 404:
      return new WriterError(
        `The AI service doesn't know the model that this server asks for. ${safe} ${tellOperator}`,
        { cause },
      )
    case 429:
      return busy(error, cause)
    default:
      return status >= 500
        ? new WriterError(`The AI service has trouble of its own right now. ${safe} Please try again in a minute.`, {
            cause,
          })
        : new WriterError(`The AI service didn't accept the question. ${safe} ${tellOperator}`, { cause })
  }
}

function busy(error: APIError, cause: Error): WriterError {
  if (error.code === 'insufficient_quota')
    return new WriterError(`The AI service's credit is used up. ${safe} ${tellOperator}`, { cause })
  const retryAfterMs = retryAfterOf(error.headers)
  if (retryAfterMs === null)
    return new WriterError(`The AI service has too much to do right now. ${safe} Please try again in a minute.`, {
      cause,
    })
  return new WriterError(
    `The AI service has too much to do right now. ${safe} Try again in ${shortWaitInWords(retryAfterMs)}.`,
    { retryAfterMs, cause },
  )
}

/** Seconds or a date; at most a day. */
function retryAfterOf(headers: Headers | undefined): number | null {
  const retryAfter = headers?.get('retry-after') ?? ''
  const ms = /^\d+(\.\d+)?$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now()
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 1000), 86_400_000)
}

function codeOf({ code }: APIError, known: string): string {
  return typeof code === 'string' && /^[\w.-]{1,64}$/.test(code) && !code.includes(known) ? `, ${code}` : ''
}
