import { Suspense, useEffect, useRef, useState } from 'react'
import { textLength, textLimits, type Client, type SocialAccount } from '../../../api/contract/index.ts'
import { focusFirstError } from '../../lib/focus-error.ts'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { platformLook } from '../../lib/platforms.ts'
import { useKeptDraft } from '../../lib/use-kept-draft.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { LimitRing } from '../../ui/LimitRing.tsx'
import { PlatformIcon } from '../../ui/PlatformIcon.tsx'
import { ImageField } from '../../ui/posts/ImageField.tsx'
import { RestoredNote } from '../../ui/posts/RestoredNote.tsx'
import { WriterNote } from '../../ui/posts/WriterNote.tsx'
import { Select } from '../../ui/Select.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { fieldsOf, isTyped, startTime, type Copied } from './composer-draft.ts'
import { ComposerActions } from './ComposerActions.tsx'
import { NoAccounts } from './NoAccounts.tsx'
import { Previews } from './Previews.tsx'
import { useComposer } from './use-composer.ts'
import { When } from './When.tsx'
import { words } from './words.ts'
import { Writer } from './Writer.tsx'

const OtherAccounts = lazyPart(() => import('./OtherAccounts.tsx'))

interface Props {
  readonly client: Client
  readonly accounts: readonly SocialAccount[]
  readonly zone: string
  /** The day to start with; without it, the next free slot. */
  readonly on?: string | undefined
  /** The post that this one starts as a copy of. */
  readonly copied?: (Copied & { readonly id: string }) | undefined
  readonly onClose: () => void
}

export default function Composer({ client, accounts, zone, on, copied, onClose: close }: Props) {
  // A copy is kept beside a new text, so that neither takes the other's place.
  const { restored, keep, drop } = useKeptDraft(client.id, copied ? `copy-${copied.id}` : null)
  const onClose = () => {
    drop()
    close()
  }
  const start = { restored: restored?.fields ?? null, copied: copied ?? null, on }
  const composer = useComposer({ clientId: client.id, accounts, zone, onClose, ...start })
  const { draft, change, errors, account, written, problems, upload, heldBack } = composer
  const [writing, setWriting] = useState(false)
  const [topic, setTopic] = useState(restored?.fields['topic'] ?? '')
  const { accountId, others, content, imageUrl, texts } = draft
  const hasText = isTyped(draft, topic, copied ?? null)
  useEffect(
    () => keep(hasText ? { content, imageUrl, topic, ...fieldsOf({ accountId, others, texts }) } : null, null),
    [keep, hasText, accountId, others, content, imageUrl, topic, texts],
  )
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (heldBack > 0) focusFirstError(form.current)
  }, [heldBack])
  if (accounts.length === 0) return <NoAccounts clientId={client.id} onClose={onClose} />
  return (
    <FormDialog
      unsaved={hasText || draft.time !== startTime(on)}
      onClose={onClose}
      title={words.newPost}
      width="wide"
      footer={<ComposerActions clientId={client.id} composer={composer} />}
    >
      <div ref={form} className="grid grid-cols-[minmax(0,1fr)] gap-6 md:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <RestoredNote draft={restored} zone={zone} />
          <Select
            label={words.account}
            placeholder={words.selectAccount}
            required
            testId="select-account"
            options={accounts.map(({ id, platform, accountName, isConnected }) => ({
              id,
              label: words.accountOn(accountName, platformLook[platform].title),
              icon: <PlatformIcon platform={platform} />,
              ...(!isConnected && { note: words.notConnected }),
            }))}
            value={draft.accountId}
            onChange={composer.choose}
            error={errors.account}
          />
          <div className="flex flex-col gap-2">
            <TextField
              label={words.content}
              rows={6}
              required
              value={content}
              onChange={(next) => change({ content: next })}
              error={errors.content ?? problems.content}
              placeholder={words.contentPlaceholder}
            />
            {account && (
              <div className="flex justify-end">
                <LimitRing used={textLength(account.platform, content)} limit={textLimits[account.platform]} />
              </div>
            )}
          </div>
          <When composer={composer} zone={zone} />
          {accounts.length > 1 && (
            <Suspense fallback={null}>
              <OtherAccounts accounts={accounts} composer={composer} />
            </Suspense>
          )}
          <Writer
            client={client}
            platform={account?.platform}
            content={content}
            topic={topic}
            onTopic={setTopic}
            open={writing}
            onOpen={setWriting}
            onWritten={(text) => composer.accept(text)}
          />
          {written && <WriterNote source={written.source} />}
          <ImageField
            value={imageUrl}
            onChange={(next) => change({ imageUrl: next })}
            upload={upload}
            error={errors.imageUrl ?? upload.error ?? problems.image}
            hint={problems.imageHint}
          />
        </div>
        <div className="md:sticky md:top-0 md:self-start">
          <Previews composer={composer} />
        </div>
      </div>
    </FormDialog>
  )
}
