import { useState } from 'react'
import type { SocialAccount } from '../../../api/contract/index.ts'
import { platformLook } from '../../lib/platforms.ts'
import { useMay, useZone } from '../../lib/use-agency.ts'
import { wayBack } from '../../lib/way-back.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { cardStyle } from '../../ui/Card.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { AnchorButton } from '../../ui/LinkButton.tsx'
import { PlatformIcon } from '../../ui/PlatformIcon.tsx'
import { ConnectionHealth } from './ConnectionHealth.tsx'
import { accountWords as words } from './account-words.ts'

const DisconnectAccount = lazyDialog(() => import('./DisconnectAccount.tsx'))

const EditAccount = lazyDialog(() => import('./EditAccount.tsx'))

const stateLook = {
  none: { label: words.states.none, tone: 'draft' },
  connected: { label: words.states.connected, tone: 'published' },
  ending: { label: words.states.ending, tone: 'pending' },
  broken: { label: words.states.broken, tone: 'rejected' },
} as const

// On a phone they stand under the name, in line with it.
const actionsStyle = 'flex gap-2 max-sm:w-full max-sm:pl-14'

export function AccountCard({ account }: { readonly account: SocialAccount }) {
  const { id, platform, accountName, accountUrl, isConnected, network, state } = account
  const zone = useZone()
  const [asking, setAsking] = useState(false)
  const [editing, setEditing] = useState(false)
  const connects = useMay('manager')
  const connect = `/api/social-accounts/${encodeURIComponent(id)}/connect`
  return (
    <li
      data-testid="account-card"
      data-connected={isConnected}
      className={`${cardStyle} flex flex-wrap items-center gap-x-4 gap-y-3 p-5`}
    >
      <span className="grid size-10 shrink-0 place-items-center rounded-full bg-n3">
        <PlatformIcon platform={platform} className="size-5" />
      </span>
      <div className="min-w-0 flex-1 basis-48">
        <h2 className="flex flex-wrap items-center gap-2 font-semibold">
          <span dir="auto" className="truncate" title={accountName}>
            {accountName}
          </span>
          <Badge tone={stateLook[state].tone}>{stateLook[state].label}</Badge>
          {network === 'sandbox' && <Badge tone="unknown">{words.sandbox}</Badge>}
        </h2>
        <p className="truncate text-sm text-quiet">
          {platformLook[platform].title}
          {accountUrl !== null && (
            <>
              {' · '}
              <a href={accountUrl} target="_blank" rel="noreferrer" className="underline underline-offset-4">
                {accountUrl.replace(/^https?:\/\//, '')}
              </a>
            </>
          )}
        </p>
        {network === 'sandbox' && <p className="text-sm text-quiet">{words.sandboxText}</p>}
        <div className="mt-2 flex max-w-text flex-col gap-2 empty:hidden">
          <ConnectionHealth account={account} zone={zone} />
        </div>
      </div>
      {connects &&
        (isConnected ? (
          <div className={actionsStyle}>
            <AnchorButton href={connect} onClick={() => wayBack.keep(id)} look="quiet" className="max-sm:-ml-3.5">
              {words.reconnect}
            </AnchorButton>
            <Button onPress={() => setAsking(true)}>{words.disconnect}</Button>
          </div>
        ) : (
          <div className={actionsStyle}>
            {state === 'broken' && (
              <Button look="quiet" className="max-sm:-ml-3.5" onPress={() => setAsking(true)}>
                {words.disconnect}
              </Button>
            )}
            {state === 'none' && (
              <Button
                look="quiet"
                className="max-sm:-ml-3.5"
                aria-label={words.editThe(accountName)}
                onPress={() => setEditing(true)}
              >
                {words.edit}
              </Button>
            )}
            <AnchorButton href={connect} onClick={() => wayBack.keep(id)}>
              {state === 'broken' ? words.reconnect : words.connect}
            </AnchorButton>
          </div>
        ))}
      {editing && <EditAccount account={account} onClose={() => setEditing(false)} />}
      {asking && <DisconnectAccount account={account} onClose={() => setAsking(false)} />}
    </li>
  )
}
