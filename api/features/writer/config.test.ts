import { describe, expect, it } from 'vitest'
import { readConfig } from '../../runtime/config.ts'
import { openAiSettings } from './config.ts'

const address = 'http://127.0.0.1:11434/v1'

describe("the AI's settings", () => {
  it('without a key leave the AI unconnected', () => {
    expect(openAiSettings(readConfig({ OPENAI_MODEL: 'llama3' }))).toBeNull()
  })
  it('with a key use the default model, and OpenAI itself unless another address is set', () => {
    expect(openAiSettings(readConfig({ OPENAI_API_KEY: 'sk-1' }))).toEqual({
      apiKey: 'sk-1',
      baseUrl: null,
      model: 'gpt-5.4-mini',
      timeoutMs: 30_000,
    })
    expect(
      openAiSettings(readConfig({ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: address, OPENAI_MODEL: 'llama3' })),
    ).toMatchObject({ baseUrl: address, model: 'llama3' })
  })
  it.each([
    [{ OPENAI_BASE_URL: address }, /OPENAI_API_KEY: missing, because OPENAI_BASE_URL is set/],
    [{ OPENAI_API_KEY: 'sk-secret', OPENAI_BASE_URL: 'ftp://ai.example' }, /OPENAI_BASE_URL: an address like https:/],
    [{ OPENAI_API_KEY: 'sk-secret', OPENAI_TIMEOUT_MS: '1' }, /OPENAI_TIMEOUT_MS: /],
  ])('%j are refused with an explanation', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence)
    expect(() => readConfig(env)).not.toThrow(/sk-secret/)
  })
})
