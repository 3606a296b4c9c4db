/** The AI's part of the environment: a key connects it. */
import { z } from 'zod'

const given = z.string().min(1).optional()

/** Small, quick, and it keeps to a form that it is given: what a short text needs. */
const defaultModel = 'gpt-5.4-mini'

/** To be spread into the environment's object. */
export const writerEnvironment = {
  OPENAI_API_KEY: given,
  /** Any server that speaks the same protocol. */
  OPENAI_BASE_URL: z.url({ protocol: /^https?$/, error: 'an address like https://api.openai.com/v1' }).optional(),
  OPENAI_MODEL: z.string().min(1).max(200).default(defaultModel),
  /** How long one answer may take; a faulty one is asked for once more. */
  OPENAI_TIMEOUT_MS: z.coerce.number().int().min(100).max(55_000).default(30_000),
}

const shape = z.object(writerEnvironment)
type Environment = z.output<typeof shape>

export interface OpenAiSettings {
  readonly apiKey: string
  /** Null: OpenAI's own. */
  readonly baseUrl: string | null
  readonly model: string
  readonly timeoutMs: number
}

/** `NAME: sentence` where an address is given without a key, as that would leave AI unconnected without a word. */
export function missingForWriter({ OPENAI_API_KEY, OPENAI_BASE_URL }: Environment): string[] {
  if (OPENAI_API_KEY !== undefined || OPENAI_BASE_URL === undefined) return []
  return ['OPENAI_API_KEY: missing, because OPENAI_BASE_URL is set; for a server that asks for no key any word will do']
}

/** Null: AI is not connected. */
export function openAiSettings(env: Environment): OpenAiSettings | null {
  const {
    OPENAI_API_KEY: apiKey,
    OPENAI_BASE_URL: baseUrl = null,
    OPENAI_MODEL: model,
    OPENAI_TIMEOUT_MS: timeoutMs,
  } = env
  return apiKey === undefined ? null : { apiKey, baseUrl, model, timeoutMs }
}
