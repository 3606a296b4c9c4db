import { LinkButton } from '../../ui/LinkButton.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { words } from './words.ts'

/** An address of a client that was deleted, or never was. */
export function NoClient() {
  return (
    <>
      <PageHeader title={words.noClient} text={words.noClientText} />
      <LinkButton to="/clients" look="primary">
        {words.goToClients}
      </LinkButton>
    </>
  )
}
