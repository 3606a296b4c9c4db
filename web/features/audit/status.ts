import type { AuditPost } from '../../../api/contract/index.ts'

export const statusWords: Readonly<Record<AuditPost['status'], string>> = {
  draft: 'Draft',
  pending: 'Pending Review',
  approved: 'Approved',
  scheduled: 'Scheduled',
  published: 'Published',
  rejected: 'Rejected',
  deleted: 'Deleted',
}
