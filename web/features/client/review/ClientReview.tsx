/** Whom a client's posts are sent to for review, and the links that were sent. */
import { Contacts } from './Contacts.tsx'
import { ReviewLinks } from './ReviewLinks.tsx'

export default function ClientReview({ clientId }: { readonly clientId: string }) {
  return (
    <div className="mt-8 flex max-w-form flex-col gap-4">
      <ReviewLinks clientId={clientId} />
      <Contacts clientId={clientId} />
    </div>
  )
}
