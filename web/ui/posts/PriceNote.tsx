/**
 * A network's price for a post, beside the button that schedules it. The price rules are loaded after the screen, which
 * doesn't need them.
 */
import { useEffect, useState } from 'react'
import type { Platform, SocialAccount } from '../../../api/contract/index.ts'

interface Props {
  readonly platform: Platform
  readonly content: string
  readonly network: SocialAccount['network']
  /** Stands in a line of its own, and looks like it. */
  readonly inherit?: boolean
}

export function PriceNote({ platform, content, network, inherit = false }: Props) {
  const [price, setPrice] = useState<string>()
  useEffect(() => {
    let isGone = false
    import('../../lib/post-problems.ts').then(
      ({ priceLine }) => isGone || setPrice(priceLine(platform, content, network)),
      // Without a server nothing can be scheduled either.
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [platform, content, network])
  return price !== undefined && <span className={inherit ? '' : 'ml-2 text-sm text-quiet'}>{price}</span>
}
