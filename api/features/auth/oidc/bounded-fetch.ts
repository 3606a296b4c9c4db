/** Requests to the provider: limited in time and bytes, and without redirects. */

export const providerTimeoutMs = 8_000
export const maxProviderBytes = 256 * 1024

/** The provider can't be reached, or doesn't answer as it should. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}

/** @throws ProviderUnavailable without a complete answer, and for an error of the provider itself */
export async function boundedFetch(url: string, init: RequestInit, timeoutMs = providerTimeoutMs): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(url, { ...init, redirect: 'manual', signal })
    const { status, headers } = answer
    if (status >= 500) throw new ProviderUnavailable(`The provider answered ${status}`)
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of answer.body ?? []) {
      size += chunk.byteLength
      if (size > maxProviderBytes) throw new ProviderUnavailable('The answer of the provider is too long')
      chunks.push(chunk)
    }
    // An answer without content can't have a body.
    return new Response(size === 0 ? null : Buffer.concat(chunks), { status, headers })
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error
    throw new ProviderUnavailable('The provider did not answer', { cause: error })
  }
}
