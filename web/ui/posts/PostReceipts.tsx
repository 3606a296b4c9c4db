/** The receipts of a post, for members. */
import { useQuery } from '@tanstack/react-query'
import { ReceiptsDialog } from '../receipts/ReceiptsDialog.tsx'
import { receiptsQuery } from '../receipts/queries.ts'

interface Props {
  readonly postId: string
  readonly revision: number
  readonly zone: string
  readonly onClose: () => void
}

export default function PostReceipts({ postId, revision, zone, onClose }: Props) {
  return <ReceiptsDialog receipts={useQuery(receiptsQuery(postId, revision))} zone={zone} onClose={onClose} />
}
