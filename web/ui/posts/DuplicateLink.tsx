import { Copy } from 'lucide-react'
import { PaidLink } from '../PaidLink.tsx'
import { ForRole } from '../ForRole.tsx'
import { words } from './words.ts'

interface Props {
  readonly post: { readonly id: string; readonly clientId: string }
  readonly onClick?: (() => void) | undefined
}

/** Leads to a new post with this one's text and image. */
export function DuplicateLink({ post: { id, clientId }, onClick }: Props) {
  return (
    <ForRole least="writer">
      <PaidLink
        look="quiet"
        to="/clients/$id"
        params={{ id: clientId }}
        search={{ tab: 'posts', compose: true, from: id }}
        data-testid="button-duplicate-post"
        onClick={onClick}
      >
        <Copy aria-hidden />
        {words.duplicate}
      </PaidLink>
    </ForRole>
  )
}
