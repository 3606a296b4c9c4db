import { ForRole } from '../../ui/ForRole.tsx'
import { Button } from '../../ui/Button.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { words } from './words.ts'

interface Props {
  readonly clientId: string
  readonly onClose: () => void
}

export function NoAccounts({ clientId, onClose }: Props) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.newPost}
      width="small"
      description={words.noAccountsText}
      footer={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <ForRole least="manager">
            <LinkButton look="primary" to="/clients/$id" params={{ id: clientId }} search={{ tab: 'accounts' }} replace>
              {words.addAccount}
            </LinkButton>
          </ForRole>
        </>
      }
    />
  )
}
