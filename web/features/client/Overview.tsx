import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Reply, Routes } from '../../../api/contract/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ForRole } from '../../ui/ForRole.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.tsx'
import { words } from './words.ts'

const EditClient = lazyDialog(() => import('./EditClient.tsx'))
const DeleteClient = lazyDialog(() => import('./DeleteClient.tsx'))

export type ClientDetails = Reply<Routes['getClient']>

export function Overview({ client }: { readonly client: ClientDetails }) {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const facts = [
    [words.description, client.description],
    [words.industry, client.industry],
    [words.targetAudience, client.targetAudience],
    [words.toneOfVoice, client.toneOfVoice],
    [words.logoUrl, client.logoUrl],
  ] as const
  return (
    <Card>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">{words.profile}</h2>
        <div className="flex gap-2">
          <ForRole least="admin">
            <Button look="dangerQuiet" onPress={() => setOpen('delete')} data-testid="button-delete-client">
              <Trash2 aria-hidden />
              {words.delete}
            </Button>
          </ForRole>
          <ForRole least="manager">
            <Button onPress={() => setOpen('edit')} data-testid="button-edit-client">
              <Pencil aria-hidden />
              {words.edit}
            </Button>
          </ForRole>
        </div>
      </div>
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-[10rem_1fr]">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-quiet">{name}</dt>
            <dd className={`-mt-3 max-w-text whitespace-pre-wrap wrap-anywhere sm:mt-0 ${value ? '' : 'text-quiet'}`}>
              {value || words.notSet}
            </dd>
          </div>
        ))}
        <dt className="text-quiet">{words.brandColor}</dt>
        <dd className="tabular -mt-3 flex items-center gap-2 sm:mt-0">
          <span
            aria-hidden
            className="size-4 rounded-control border border-line"
            style={{ backgroundColor: client.brandColor }}
          />
          {client.brandColor}
        </dd>
      </dl>
      {open === 'edit' && <EditClient client={client} onClose={close} />}
      {open === 'delete' && <DeleteClient client={client} onClose={close} />}
    </Card>
  )
}
