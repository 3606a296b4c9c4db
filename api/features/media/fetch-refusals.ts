/** The reasons why an image can't be fetched, each with its message. */

export type WhyNot =
  | {
      readonly reason:
        | 'not-a-web-address'
        | 'has-credentials'
        | 'port'
        | 'no-such-host'
        | 'private-network'
        | 'unreachable'
        | 'too-many-redirects'
    }
  | { readonly reason: 'answered'; readonly status: number }
  | { readonly reason: 'too-slow'; readonly seconds: number }
  | { readonly reason: 'too-large'; /** Bytes. */ readonly maxBytes: number }

export type FetchRefusal = WhyNot & { readonly sentence: string }

function sentenceOf(why: WhyNot): string {
  switch (why.reason) {
    case 'not-a-web-address':
      return "The image's address must start with http:// or https://."
    case 'has-credentials':
      return "The image's address holds a user name or a password. Use one without."
    case 'port':
      return "The image's address names an unusual port. Use one without a port."
    case 'no-such-host':
      return "The image's address leads nowhere: its host can't be found."
    case 'private-network':
      return "The image's address belongs to a private network."
    case 'unreachable':
      return "The image's address can't be reached."
    case 'too-many-redirects':
      return "The image's address redirects too many times."
    case 'answered':
      return `The image's address answered ${why.status}.`
    case 'too-slow':
      return `The image's address took longer than ${why.seconds} seconds.`
    case 'too-large':
      return `The image is larger than ${Math.floor(why.maxBytes / 1024 / 1024)} MB.`
  }
}

/** Thrown by the steps of a fetch; `guardedFetch` catches it. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  constructor(readonly why: WhyNot) {
    super(why.reason)
  }
  get told(): FetchRefusal {
    return { ...this.why, sentence: sentenceOf(this.why) }
  }
}
