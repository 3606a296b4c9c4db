/** As much of the types of `oidc-provider`, which has none of its own, as the tests use. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Details {
    readonly prompt: { readonly name: string }
    readonly params: Readonly<Record<string, unknown>>
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    readonly Grant: new (grant: object) => { addOIDCScope(scope: string): void; save(): Promise<string> }
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Details>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options?: object,
    ): Promise<void>
  }
}
