import { Button } from '../../ui/Button.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

interface Props {
  readonly clientId: string
  readonly onClose: () => void
}

export function NoAccounts({ clientId, onClose }: Props) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="New Post"
      width="small"
      description="A post needs an account to be published on, and this client has none yet."
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <LinkButton look="primary" to="/clients/$id" params={{ id: clientId }} search={{ tab: 'accounts' }} replace>
            Add a social account
          </LinkButton>
        </>
      }
    />
  )
}
