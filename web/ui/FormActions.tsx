import { Button } from './Button.tsx'
import { words } from './words.ts'

interface Props {
  readonly pending: boolean
  readonly action: string
  readonly pendingAction: string
  readonly testId?: string
  /** The id of the form that they send from the dialog's footer; none within the form. */
  readonly form?: string
}

/** The end of a form in a `FormDialog`: Cancel, which asks before typed text is thrown away, and what sends it. */
export function FormActions({ pending, action, pendingAction, testId, form }: Props) {
  return (
    <div className={`flex justify-end gap-2 ${form === undefined ? 'pt-2' : ''}`}>
      <Button slot="close">{words.cancel}</Button>
      <Button look="primary" type="submit" {...(form !== undefined && { form })} pending={pending} data-testid={testId}>
        {pending ? pendingAction : action}
      </Button>
    </div>
  )
}
