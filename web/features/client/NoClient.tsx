import { LinkButton } from '../../ui/LinkButton.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'

/** An address of a client that was deleted, or never was. */
export function NoClient() {
  return (
    <>
      <PageHeader title="This client doesn't exist" text="It may have been deleted, or the address is not right." />
      <LinkButton to="/clients" look="primary">
        Go to Clients
      </LinkButton>
    </>
  )
}
