import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { maxPasskeys, type Passkey } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { formatDate, formatDateTime } from '../../lib/dates.ts'
import { canUsePasskeys } from '../../lib/passkeys.ts'
import { useAgency, useZone } from '../../lib/use-agency.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { FactorCard, type FactorProps } from './factor-card.tsx'
import { words as allWords } from './words.ts'

const words = allWords.passkeys
const AddPasskey = lazyDialog(() => import('./AddPasskey.tsx'))
const RenamePasskey = lazyDialog(() => import('./RenamePasskey.tsx'))
const AskPassword = lazyDialog(() => import('./AskPassword.tsx'))

type Open = { readonly act: 'add' } | { readonly act: 'rename' | 'remove'; readonly passkey: Passkey }

export function PasskeysCard({ factors: { app, passkeys, noPasskeys }, isConfirmed, onCodes }: FactorProps) {
  const [open, setOpen] = useState<Open | null>(null)
  const onClose = () => setOpen(null)
  const reason = noPasskeys ? words[noPasskeys] : canUsePasskeys() ? null : words.unsupported
  const isLast = !app && passkeys.length === 1
  const isRequired = (useAgency()?.secondFactorSince ?? null) !== null
  const isFull = passkeys.length >= maxPasskeys
  return (
    <FactorCard testId="card-passkeys" title={words.heading} text={words.text}>
      {passkeys.length > 0 && (
        <ul className="mt-3 flex flex-col divide-y divide-line border-y border-line">
          {passkeys.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} onAct={(act) => setOpen({ act, passkey })} />
          ))}
        </ul>
      )}
      {reason !== null && <p className="mt-3 text-sm text-quiet">{reason}</p>}
      {reason === null && passkeys.length === 0 && <p className="mt-3 text-sm text-quiet">{words.none}</p>}
      {reason === null && isFull && <p className="mt-3 text-sm text-quiet">{words.full(maxPasskeys)}</p>}
      {reason === null && !isFull && (
        <Button className="mt-4" isDisabled={!isConfirmed} onPress={() => setOpen({ act: 'add' })}>
          {words.add}
        </Button>
      )}
      {open?.act === 'add' && (
        <AddPasskey
          onClose={onClose}
          onDone={(codes) => {
            onClose()
            onCodes(codes)
            toast({ title: words.added, description: words.addedText })
          }}
        />
      )}
      {open?.act === 'rename' && (
        <RenamePasskey
          passkey={open.passkey}
          onClose={onClose}
          onDone={() => {
            onClose()
            onCodes([])
          }}
        />
      )}
      {open?.act === 'remove' && (
        <AskPassword
          title={words.removeTitle(open.passkey.name)}
          text={words.removeText(isLast) + (isLast && isRequired ? allWords.lastRequired : '')}
          action={words.remove}
          pending={allWords.removing}
          isDangerous
          onClose={onClose}
          onProof={async ({ password }) => {
            const { id } = open.passkey
            await call('POST /api/auth/passkeys/{id}/remove', { params: { id }, body: { password } })
            onClose()
            onCodes([])
            toast({ title: words.removed })
          }}
        />
      )}
    </FactorCard>
  )
}

interface RowProps {
  readonly passkey: Passkey
  readonly onAct: (act: 'rename' | 'remove') => void
}

function Row({ passkey: { name, addedAt, usedAt }, onAct }: RowProps) {
  const zone = useZone()
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3" data-testid="passkey">
      <KeyRound aria-hidden className="size-4 shrink-0 text-quiet" />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="font-medium wrap-anywhere">
          {name}
        </p>
        <p className="text-sm text-quiet">
          {words.dates(formatDate(addedAt, zone), usedAt && formatDateTime(usedAt, zone))}
        </p>
      </div>
      <div className="flex gap-1">
        <Button look="quiet" size="sm" aria-label={words.of(words.rename, name)} onPress={() => onAct('rename')}>
          {words.rename}
        </Button>
        <Button look="dangerQuiet" size="sm" aria-label={words.of(words.remove, name)} onPress={() => onAct('remove')}>
          {words.remove}
        </Button>
      </div>
    </li>
  )
}
