import { useQuery } from '@tanstack/react-query'
import type { ReviewedPost } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { ReceiptsDialog } from '../../ui/receipts/ReceiptsDialog.tsx'
import { askedWith } from './kept-session.ts'

interface Props {
  readonly token: string
  readonly post: ReviewedPost
  readonly zone: string
  readonly onClose: () => void
}

export default function OwnReceipts({ token, post, zone, onClose }: Props) {
  const { id: postId, verdict } = post
  const receipts = useQuery({
    // Another verdict leads to another receipt.
    queryKey: ['own-receipts', token, postId, verdict?.at],
    queryFn: () => call('POST /api/reviews/receipts', { body: { ...askedWith(token), postId } }),
    gcTime: 0,
  })
  return <ReceiptsDialog receipts={receipts} zone={zone} own onClose={onClose} />
}
