/** The environment variables of the AI writer: a key connects it. */
import { z } from 'zod'

const given = z.string().min(1).optional()

/** Small, fast and reliable with structured output: enough for a short text. */
const defaultModel = 'gpt-5.4-mini'

/** To be spread into the environment schema. */
export const writerEnvironment = {
  OPENAI_API_KEY: given,
  /** Any server with OpenAI's protocol. */
  OPENAI_BASE_URL: z.url({ protocol: /^https?$/, error: 'an address like https://api.openai.com/v1' }).optional(),
  OPENAI_MODEL: z.string().min(1).max(200).default(defaultModel),
  /** Timeout of one answer; a faulty answer is requested once more. */
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

/** `NAME: sentence` for an address without a key, which would silently leave the AI unconnected. */
export function missingForWriter({ OPENAI_API_KEY, OPENAI_BASE_URL }: Environment): string[] {
  if (OPENAI_API_KEY !== undefined || OPENAI_BASE_URL === undefined) return []
  return ['OPENAI_API_KEY: missing, because OPENAI_BASE_URL is set; for a server that asks for no key any word will do']
}

/** Null: the AI is not connected. */
export function openAiSettings(env: Environment): OpenAiSettings | null {
  const {
    OPENAI_API_KEY: apiKey,
    OPENAI_BASE_URL: baseUrl = null,
    OPENAI_MODEL: model,
    OPENAI_TIMEOUT_MS: timeoutMs,
  } = env
  return apiKey === undefined ? null : { apiKey, baseUrl, model, timeoutMs }
}
