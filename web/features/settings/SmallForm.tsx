/** The frame of the small forms in Settings: a dialog with the fields, what the server said, and the buttons. */
import type { ComponentProps, ReactNode } from 'react'
import { FormActions } from '../../ui/FormActions.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { ServerError } from '../../ui/ServerError.tsx'

interface Props {
  readonly title: string
  readonly text: string
  readonly action: string
  readonly pendingAction: string
  readonly isSubmitting: boolean
  readonly unsaved: boolean
  readonly serverError: string | null
  readonly formProps: ComponentProps<'form'>
  readonly onClose: () => void
  readonly children: ReactNode
}

export function SmallForm(props: Props) {
  const { title, text, action, pendingAction, isSubmitting, unsaved, serverError, formProps, onClose, children } = props
  return (
    <FormDialog onClose={onClose} unsaved={unsaved} busy={isSubmitting} width="small" title={title} description={text}>
      <form {...formProps} className="flex flex-col gap-4">
        {children}
        <ServerError message={serverError} />
        <FormActions pending={isSubmitting} action={action} pendingAction={pendingAction} />
      </form>
    </FormDialog>
  )
}
