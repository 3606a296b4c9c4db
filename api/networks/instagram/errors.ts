/** Maps Instagram's errors: its own subcodes first, then Graph's. */
import { judgeGraph, graphError } from '../facebook/errors.ts'
import type { Answer } from '../http.ts'
import { refused, unclear, type Refusal } from '../network-client.ts'
import { instagramCodes, instagramWaits } from './settings.ts'

export function judgeInstagram(name: string, answer: Answer): Refusal {
  const error = graphError(answer)
  if (!error) return judgeGraph(name, answer)
  const { code, error_subcode: subcode = 0 } = error
  const is = (codes: readonly number[], of = subcode) => codes.includes(of)
  if (is(instagramCodes.quota))
    return refused(`${name} takes no more posts of this account today.`, 'wait', instagramWaits.quota)
  if (is(instagramCodes.fetch) || is(instagramCodes.fetchCodes, code))
    return refused(`${name} could not fetch the image. Change the image.`, 'edit')
  if (is(instagramCodes.ratio)) return refused(`${name} takes images between 4:5 and 1.91:1. Change the image.`, 'edit')
  if (is(instagramCodes.tooLarge)) return refused(`${name} takes images up to 8 MB. Change the image.`, 'edit')
  if (is(instagramCodes.restricted))
    return refused(`${name} has restricted this account. Sign in to Instagram and do what it asks.`, 'check')
  if (is(instagramCodes.container))
    return refused(`${name} no longer has the prepared image.`, 'wait', instagramWaits.container)
  if (is(instagramCodes.ownFault) || is(instagramCodes.ownFaultCodes, code)) return unclear(name, answer.status)
  return judgeGraph(name, answer)
}
