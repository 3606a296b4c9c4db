/** In place of the password of a user who has none: the way to the provider, and back to this screen. */
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { errorText } from '../../lib/error-text.ts'
import { Button } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { words as allWords } from './words.ts'

const words = allWords.signOn

interface Props {
  readonly title: string
  readonly provider: string
  readonly onClose: () => void
}

export function SignInAtProvider({ title, provider, onClose }: Props) {
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const go = () => {
    setPending(true)
    call('POST /api/auth/oidc/confirm').then(
      ({ url }) => location.assign(url),
      (error: unknown) => {
        setPending(false)
        setFailure(errorText(error))
      },
    )
  }
  return (
    <FormDialog onClose={onClose} unsaved={false} width="small" title={title} description={words.confirmText(provider)}>
      <ServerError message={failure} />
      <div className="flex justify-end gap-2 pt-2">
        <Button slot="close">{allWords.cancel}</Button>
        <Button look="primary" pending={pending} onPress={go}>
          {words.confirm(provider)}
        </Button>
      </div>
    </FormDialog>
  )
}
