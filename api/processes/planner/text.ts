/** The text of a slot's post: written once, and found again in the log after a crash. */
import type { ClientProfile } from '../../../domain/agency/commands.ts'
import type { ContentGenerated, Generation } from '../../../domain/core/generation.ts'
import { problemsWith } from '../../../domain/core/preflight.ts'
import type { Generated } from '../../../domain/core/provenance.ts'
import type { Fact } from '../../../domain/core/event.ts'
import type { Platform } from '../../../domain/core/values.ts'
import { provenanceOf } from '../../../domain/generation/decider.ts'
import { idFromKey } from '../../core/agency-id.ts'
import { problemSentence } from '../../contract/post-problems.ts'
import type { CommandContext } from '../../core/command-handler.ts'
import { lastIn } from '../../core/aggregates.ts'
import { clientStream } from '../../core/load.ts'
import { WriterError } from '../../features/writer/port.ts'
import { lastTextsOf, toneOf, type LastPost } from '../../features/writer/voice.ts'
import type { PlannerPorts } from './ports.ts'

export interface Wanted {
  readonly postId: string
  readonly clientId: string
  readonly profile: ClientProfile
  readonly platform: Platform
  readonly topic: string
  /** Texts just written for the client, which the views may not show yet. */
  readonly before: readonly LastPost[]
}

export interface Text {
  readonly content: string
  readonly generation: Generated
}

/**
 * Null when no text may be written any more.
 * @throws WriterError when the writer fails, or writes a text that the network would not accept: nothing is recorded
 * then
 */
export async function textFor(
  { commands, views, writer }: PlannerPorts,
  wanted: Wanted,
  by: CommandContext,
  signal: AbortSignal,
): Promise<Text | null> {
  const { postId, clientId, platform, topic, profile, before } = wanted
  const generationId = idFromKey(by.agencyId, 'planned-text', postId)
  const earlier = await recordedText(commands, clientId, generationId)
  if (earlier) return earlier
  const recent = await lastTextsOf(views, clientId, before)
  const tone = toneOf(profile)
  const brief = { client: profile, platform, topic, tone, recent }
  const { content, source, model, tokens } = await writer.write(brief, signal).catch((error: unknown) => {
    throw failureOf(error, signal)
  })
  signal.throwIfAborted()
  const [problem] = problemsWith({ platform, content, hasImage: false, image: null }).filter(
    ({ reason }) => reason !== 'needs-an-image',
  )
  if (content.trim() === '') throw new WriterError('The writer answered with an empty text.')
  if (problem) throw new WriterError(`The writer's text can't be used. ${problemSentence(problem)}`)
  const text = {
    type: 'RecordGeneration',
    generationId,
    writer: source,
    model,
    platform,
    topic,
    tone,
    content,
    tokens,
  } as const
  const recorded = await commands.generation(clientId, text, by)
  // If two planners wrote at the same time, the state is the text that was recorded first.
  return 'refused' in recorded || recorded.state === null ? null : textOf(recorded.state)
}

const textOf = (generation: Generation): Text => ({
  content: generation.content,
  generation: provenanceOf(generation, generation.content),
})

/** Turns any error into a WriterError, so that the slot backs off; except an abort by `stop`. */
function failureOf(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof WriterError) return error
  const isLate = signal.aborted && isTimeout(signal.reason)
  if (signal.aborted && !isLate) return error
  return new WriterError(isLate ? 'The writer took too long.' : 'The text could not be written.')
}

const isTimeout = (reason: unknown) => reason instanceof DOMException && reason.name === 'TimeoutError'

async function recordedText(
  commands: PlannerPorts['commands'],
  clientId: string,
  generationId: string,
): Promise<Text | null> {
  const { state: recorded } = await commands.loadGeneration(generationId)
  if (recorded) return textOf(recorded)
  // Older logs have it in the client's stream.
  const { state: client } = await commands.loadClient(clientId)
  if (!client.generations.get(generationId)) return null
  const isIt = ({ type, data }: Fact) =>
    type === 'ContentGenerated' && 'generationId' in data && data.generationId === generationId
  const found = (await lastIn(commands.ports.events, clientStream(clientId), isIt)) as ContentGenerated | null
  return found && textOf(found.data)
}
