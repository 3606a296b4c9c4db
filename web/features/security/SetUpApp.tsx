/** Sets up an authenticator app: the password, then the QR code and the app's first code. */
import { useMemo, useState } from 'react'
import { generate } from 'lean-qr'
import { call } from '../../lib/call.ts'
import { statusOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/Button.tsx'
import { useSchemaForm } from '../../ui/form.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { ServerError } from '../../ui/ServerError.tsx'
import AskPassword from './AskPassword.tsx'
import { words as allWords } from './words.ts'

const words = allWords.app

interface Props {
  readonly onClose: () => void
  readonly onDone: (recoveryCodes: readonly string[]) => void
}

interface SetUp {
  readonly secret: string
  readonly uri: string
}

export default function SetUpApp({ onClose, onDone }: Props) {
  const [setUp, setSetUp] = useState<SetUp | null>(null)
  if (setUp) return <FirstCode setUp={setUp} onClose={onClose} onDone={onDone} />
  return (
    <AskPassword
      title={words.title}
      text={words.begin}
      action={words.next}
      pending={words.nextPending}
      onClose={onClose}
      onProof={async ({ password }) => setSetUp(await call('POST /api/auth/totp', { body: { password } }))}
    />
  )
}

function FirstCode({ setUp, onClose, onDone }: Props & { readonly setUp: SetUp }) {
  const { form, serverError, refused, formProps } = useSchemaForm({
    defaults: { code: '' },
    schema: () => import('../../lib/schemas.ts').then(({ codeBody }) => codeBody),
    submit: async (body) => onDone((await call('POST /api/auth/totp/confirm', { body })).recoveryCodes),
    fieldOf: (error) => (statusOf(error) === 403 ? 'code' : null),
  })
  return (
    <FormDialog onClose={onClose} unsaved={false} width="small" title={words.title} description={words.scan}>
      <form {...formProps} className="flex flex-col gap-4">
        <QrCode text={setUp.uri} />
        <p className="text-sm">
          <span className="text-quiet">{words.key}</span>{' '}
          <code className="break-all" data-testid="text-totp-secret">
            {grouped(setUp.secret)}
          </code>
        </p>
        <form.AppField name="code">
          {(field) => (
            <field.Text
              label={words.code}
              autoComplete="one-time-code"
              spellCheck={false}
              refused={refused('code')}
              focusFirst
            />
          )}
        </form.AppField>
        <ServerError message={serverError} />
        <form.Subscribe selector={(state) => state.isSubmitting}>
          {(pending) => (
            <div className="flex justify-end gap-2 pt-2">
              <Button slot="close">{allWords.cancel}</Button>
              <Button look="primary" type="submit" pending={pending}>
                {pending ? words.turningOn : words.turnOn}
              </Button>
            </div>
          )}
        </form.Subscribe>
      </form>
    </FormDialog>
  )
}

/** `ABCDEFGH` -> `ABCD EFGH` */
const grouped = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret

/** The margin that readers of QR codes need, in modules. */
const margin = 4

/** Dark on light in both themes: readers expect that. */
function QrCode({ text }: { readonly text: string }) {
  const { size, path } = useMemo(() => {
    const code = generate(text)
    const rows = Array.from({ length: code.size }, (_, y) =>
      Array.from({ length: code.size }, (__, x) => (code.get(x, y) ? `M${x} ${y}h1v1h-1z` : '')).join(''),
    )
    return { size: code.size + 2 * margin, path: rows.join('') }
  }, [text])
  return (
    <svg
      aria-hidden
      data-testid="qr-code"
      viewBox={`${-margin} ${-margin} ${size} ${size}`}
      className="size-48 self-center rounded-control bg-white text-black"
      shapeRendering="crispEdges"
    >
      <path d={path} fill="currentColor" />
    </svg>
  )
}
