/** The page of an invitation's link: what is offered, and accepting it with the right account. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Clock, UserPlus } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { InvitationSeen } from '../../../api/contract/index.ts'
import { userQuery } from '../../lib/access-queries.ts'
import { call } from '../../lib/call.ts'
import { errorText, fieldNamedBy, statusOf } from '../../lib/error-text.ts'
import { isWhole } from '../../lib/mailed-token.ts'
import { openAnotherAgency } from '../../lib/other-agency.ts'
import { endSession } from '../../lib/session.ts'
import { useSchemaForm } from '../../ui/form.tsx'
import { AnchorButton } from '../../ui/LinkButton.tsx'
import { LoadError } from '../../ui/LoadError.tsx'
import { PlainButton } from '../../ui/PlainButton.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { SignOn } from '../landing/SignOn.tsx'
import { invitationIn, keepOnLeaving } from './kept-invitation.ts'
import { GoOn, LinkPage, useMailedToken, Words } from './LinkPage.tsx'
import { words } from './words.ts'

const SignIn = lazy(() => import('../landing/SignIn.tsx'))
const { invitation } = words

export function Invitation() {
  const { token, outcome } = invitationIn(useMailedToken())
  return (
    <LinkPage title={invitation.pageTitle}>
      {isWhole(token) ? <Look key={token} token={token} outcome={outcome} /> : <Over />}
    </LinkPage>
  )
}

function Over() {
  return (
    <>
      <Words icon={<Clock />} tone="over" title={invitation.over} text={invitation.overText} />
      <GoOn />
    </>
  )
}

interface LookProps {
  readonly token: string
  /** How single sign-on ended, where it led back here without a session. */
  readonly outcome: string | null
}

function Look({ token, outcome }: LookProps) {
  const user = useQuery(userQuery)
  // Asked again after a sign-in: the answer says whose session it is.
  const seen = useQuery({
    queryKey: ['invitation', token, user.data?.id ?? null],
    queryFn: () => call('POST /api/invitations/look', { body: { token } }),
    enabled: !user.isPending,
    retry: false,
    gcTime: 0,
  })
  if (seen.isPending) return <Skeleton className="h-56" />
  if (seen.isError)
    return statusOf(seen.error) === 404 ? (
      <Over />
    ) : (
      <LoadError what={invitation.it} error={seen.error} onRetry={() => void seen.refetch()} />
    )
  return <Seen token={token} outcome={outcome} seen={seen.data} />
}

interface SeenProps extends LookProps {
  readonly seen: InvitationSeen
}

function Seen({ token, outcome, seen }: SeenProps) {
  const { agencyName, email, role, invitedBy, signedInAs } = seen
  return (
    <>
      <Words
        icon={<UserPlus />}
        title={invitation.title(agencyName)}
        text={invitation.text(invitedBy, invitation.roles[role], email)}
      />
      <div className="mt-6">
        {signedInAs === 'you' && <Accept token={token} agencyName={agencyName} />}
        {signedInAs === 'another' && <Another email={email} />}
        {signedInAs === 'nobody' && <Join token={token} outcome={outcome} seen={seen} />}
      </div>
    </>
  )
}

function Accept({ token, agencyName }: { readonly token: string; readonly agencyName: string }) {
  const accept = useMutation({
    mutationFn: () => call('POST /api/invitations/accept', { body: { token } }),
    onSuccess: openAnotherAgency,
  })
  return (
    <div className="flex flex-col gap-4">
      <ServerError message={accept.isError ? errorText(accept.error) : null} />
      <PlainButton
        look="primary"
        wide
        pending={accept.isPending || accept.isSuccess}
        onPress={() => accept.mutate()}
        data-testid="button-accept-invitation"
      >
        {invitation.accept(agencyName)}
      </PlainButton>
    </div>
  )
}

function Another({ email }: { readonly email: string }) {
  const { data: user } = useQuery(userQuery)
  return (
    <div className="flex flex-col gap-4" data-testid="invitation-for-another">
      <p>{invitation.another(email, user?.email ?? '')}</p>
      <AnchorButton href="/api/logout" look="primary" className="w-full" onClick={endSession} onAuxClick={endSession}>
        {invitation.signOut}
      </AnchorButton>
    </div>
  )
}

/** A copied link doesn't say whether there is an account, so both ways are offered. */
function Join({ token, outcome, seen: { email, hasAccount } }: SeenProps) {
  useEffect(() => keepOnLeaving(token), [token])
  const [signsIn, setSignsIn] = useState(outcome !== null || (hasAccount ?? false))
  return (
    <div className="flex flex-col gap-4">
      {signsIn ? (
        <Suspense fallback={<Skeleton className="h-56" />}>
          <SignIn typed={{ email }} outcome={outcome} />
        </Suspense>
      ) : (
        <>
          <Register token={token} email={email} />
          <SignOn />
        </>
      )}
      {hasAccount !== true && (
        <PlainButton look="link" onPress={() => setSignsIn(!signsIn)}>
          {signsIn ? invitation.toRegister : invitation.toSignIn}
        </PlainButton>
      )}
    </div>
  )
}

function Register({ token, email }: { readonly token: string; readonly email: string }) {
  const { form, serverError, refused, formProps } = useSchemaForm({
    defaults: { firstName: '', lastName: '', password: '' },
    schema: () => import('../../lib/schemas.ts').then(({ registerBody }) => registerBody.omit({ email: true })),
    submit: async (body) => {
      await call('POST /api/invitations/register', { body: { ...body, token } })
      openAnotherAgency()
    },
    fieldOf: (error) => fieldNamedBy(error, ['password']),
  })
  return (
    <form {...formProps} className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <form.AppField name="firstName">
          {(field) => <field.Text label={invitation.firstName} autoComplete="given-name" focusFirst />}
        </form.AppField>
        <form.AppField name="lastName">
          {(field) => <field.Text label={invitation.lastName} autoComplete="family-name" />}
        </form.AppField>
      </div>
      <form.AppField name="password">
        {(field) => <field.NewPassword label={invitation.password} email={email} refused={refused('password')} />}
      </form.AppField>
      <ServerError message={serverError} />
      <form.Subscribe selector={(state) => state.isSubmitting}>
        {(pending) => (
          <PlainButton look="primary" wide type="submit" pending={pending}>
            {pending ? invitation.creating : invitation.create}
          </PlainButton>
        )}
      </form.Subscribe>
    </form>
  )
}
