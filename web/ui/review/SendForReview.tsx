/** Sends posts to a client's people for review: who, which posts, for how long, and what they may do. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useId, useRef, useState, type FormEvent } from 'react'
import { Checkbox } from 'react-aria-components/Checkbox'
import type { IssuedReviewLink } from '../../../api/contract/index.ts'
import { callOnce } from '../../lib/call.ts'
import { todayKey } from '../../lib/dates.ts'
import { errorText } from '../../lib/error-text.ts'
import { focusFirstError } from '../../lib/focus-error.ts'
import { monthOf } from '../../lib/month.ts'
import { afterReviewLinkChange, contactsQuery } from '../../lib/review-queries.ts'
import { teamQuery } from '../../lib/team-queries.ts'
import { useZone } from '../../lib/use-agency.ts'
import { useIdempotencyKey } from '../../lib/use-idempotency-key.ts'
import { checkboxStyle } from '../checkbox-style.ts'
import { errorStyle, hintStyle, labelStyle } from '../field.ts'
import { FormActions } from '../FormActions.tsx'
import { FormDialog } from '../FormDialog.tsx'
import { LoadError } from '../LoadError.tsx'
import { PlainButton } from '../PlainButton.tsx'
import { ServerError } from '../ServerError.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { ContactForm } from './ContactForm.tsx'
import { bodyOf, errorsOf, isComplete, newDraft, type ReviewDraft, type ReviewErrors } from './draft.ts'
import { LinkTerms } from './LinkTerms.tsx'
import { ScopeChoice } from './ScopeChoice.tsx'
import { SentLinks } from './SentLinks.tsx'
import { words } from './words.ts'

interface Props {
  readonly clientId: string
  /** Posts that were chosen before; none: all that wait. */
  readonly postIds?: readonly string[]
  readonly onClose: () => void
}

const none: readonly string[] = []

export default function SendForReview({ clientId, postIds = none, onClose }: Props) {
  const zone = useZone()
  const once = useIdempotencyKey()
  const formId = useId()
  const [draft, setDraft] = useState(() => newDraft(postIds, monthOf(todayKey(zone))))
  const [isTouched, setTouched] = useState(false)
  const [showsErrors, setShowsErrors] = useState(false)
  const parts = useRef<HTMLDivElement>(null)
  const mails = useQuery(teamQuery).data?.mails ?? true
  const issue = useMutation({
    mutationFn: (sent: ReviewDraft): Promise<IssuedReviewLink> =>
      callOnce('POST /api/clients/{id}/review-links', once(sent), {
        params: { id: clientId },
        body: bodyOf(sent, Date.now()),
      }),
    onSuccess: () => afterReviewLinkChange(clientId),
  })
  const change = (changes: Partial<ReviewDraft>) => {
    setTouched(true)
    setDraft((before) => ({ ...before, ...changes }))
  }
  const errors: Partial<ReviewErrors> = showsErrors ? errorsOf(draft) : {}
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setShowsErrors(true)
    if (!isComplete(draft)) return void requestAnimationFrame(() => focusFirstError(parts.current))
    if (!issue.isPending) issue.mutate(draft)
  }
  if (issue.data) return <SentLinks clientId={clientId} issued={issue.data} onClose={onClose} />
  return (
    <FormDialog
      onClose={onClose}
      unsaved={isTouched}
      busy={issue.isPending}
      title={words.title}
      description={mails ? words.text : words.textWithoutMail}
      footer={
        <div className="flex min-w-0 basis-full flex-col gap-4">
          <ServerError message={issue.isError ? errorText(issue.error) : null} />
          <FormActions
            form={formId}
            pending={issue.isPending}
            action={mails && draft.contacts.length > 0 ? words.action : words.actionWithoutMail}
            pendingAction={words.sending}
            testId="button-send-review"
          />
        </div>
      }
    >
      <div ref={parts} className="flex flex-col gap-6">
        <Reviewers clientId={clientId} draft={draft} onChange={change} error={errors.who} />
        <form id={formId} onSubmit={onSubmit} noValidate className="flex flex-col gap-6">
          <ScopeChoice clientId={clientId} draft={draft} onChange={change} error={errors.posts} zone={zone} />
          <LinkTerms draft={draft} onChange={change} errors={errors} mails={mails} />
        </form>
      </div>
    </FormDialog>
  )
}

interface ReviewersProps {
  readonly clientId: string
  readonly draft: ReviewDraft
  readonly onChange: (changes: Partial<ReviewDraft>) => void
  readonly error: string | undefined
}

function Reviewers({ clientId, draft, onChange, error }: ReviewersProps) {
  const id = useId()
  const contacts = useQuery(contactsQuery(clientId))
  const [isAdding, setAdding] = useState(false)
  const addButton = useRef<HTMLButtonElement>(null)
  const close = () => {
    setAdding(false)
    requestAnimationFrame(() => addButton.current?.focus())
  }
  const invalid = error !== undefined
  return (
    <fieldset
      {...(invalid && { 'aria-describedby': `${id}-error` })}
      className="flex flex-col gap-2"
      data-testid="review-who"
    >
      <legend className={`mb-2 ${labelStyle}`}>{words.who}</legend>
      {contacts.isPending && (
        <>
          <output className="sr-only">{words.loadingContacts}</output>
          <Skeleton className="h-7" />
        </>
      )}
      {contacts.isError && (
        <LoadError what={words.theContacts} error={contacts.error} onRetry={() => void contacts.refetch()} />
      )}
      {contacts.data?.length === 0 && !isAdding && <p className={hintStyle}>{words.noContacts}</p>}
      {contacts.data?.map((contact) => (
        <Checkbox
          key={contact.id}
          isSelected={draft.contacts.includes(contact.id)}
          isInvalid={invalid}
          onChange={(isChosen) =>
            onChange({
              contacts: isChosen
                ? [...draft.contacts, contact.id]
                : draft.contacts.filter((each) => each !== contact.id),
            })
          }
          className={`${checkboxStyle} min-h-7`}
        >
          <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            <span dir="auto" className="wrap-anywhere">
              {contact.name}
            </span>
            <span className="text-sm wrap-anywhere text-quiet">{contact.email}</span>
          </span>
        </Checkbox>
      ))}
      {isAdding ? (
        <ContactForm
          clientId={clientId}
          onAdded={(contact) => {
            onChange({ contacts: [...draft.contacts, contact.id] })
            close()
          }}
          onCancel={close}
        />
      ) : (
        <PlainButton
          ref={addButton}
          look="link"
          size="inline"
          className="min-h-8 self-start"
          onPress={() => setAdding(true)}
          data-testid="button-new-contact"
        >
          <UserPlus aria-hidden />
          {words.addContact}
        </PlainButton>
      )}
      <Checkbox
        isSelected={draft.anyone}
        isInvalid={invalid}
        onChange={(anyone) => onChange({ anyone, ...(anyone && draft.lock === 'code' && { lock: 'none' }) })}
        className={`${checkboxStyle} min-h-7`}
        data-testid="checkbox-anyone"
      >
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <span>{words.anyone}</span>
          <span className="text-sm text-quiet">{words.anyoneNote}</span>
        </span>
      </Checkbox>
      {invalid && (
        <p id={`${id}-error`} role="alert" className={errorStyle}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
