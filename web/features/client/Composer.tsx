import { Suspense, useEffect, useState } from 'react'
import { textLength, textLimits, type Client, type SocialAccount } from '../../../api/contract/index.ts'
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
import { ComposerActions } from './ComposerActions.tsx'
import { NoAccounts } from './NoAccounts.tsx'
import { Previews } from './Previews.tsx'
import { fieldsOf, startTime, useComposer } from './use-composer.ts'
import { When } from './When.tsx'
import { Writer } from './Writer.tsx'

const OtherAccounts = lazyPart(() => import('./OtherAccounts.tsx'))

interface Props {
  readonly client: Client
  readonly accounts: readonly SocialAccount[]
  readonly zone: string
  /** The day to start with; without it, the next free slot. */
  readonly on?: string | undefined
  readonly onClose: () => void
}

export default function Composer({ client, accounts, zone, on, onClose: close }: Props) {
  const { restored, keep, drop } = useKeptDraft(client.id, null)
  const onClose = () => {
    drop()
    close()
  }
  const composer = useComposer(client.id, accounts, zone, restored?.fields ?? null, onClose, on)
  const { draft, change, errors, account, written, problems, upload } = composer
  const [writing, setWriting] = useState(false)
  const [topic, setTopic] = useState(restored?.fields['topic'] ?? '')
  const { content, imageUrl, texts } = draft
  const isTyped = [topic, content, imageUrl].some((typed) => typed.trim() !== '')
  useEffect(
    () => keep(isTyped ? { content, imageUrl, topic, ...fieldsOf(texts) } : null, null),
    [keep, isTyped, content, imageUrl, topic, texts],
  )
  const unsaved = isTyped || draft.time !== startTime(on)
  if (accounts.length === 0) return <NoAccounts clientId={client.id} onClose={onClose} />
  return (
    <FormDialog
      unsaved={unsaved}
      onClose={onClose}
      title="New Post"
      width="wide"
      footer={<ComposerActions composer={composer} />}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 md:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <RestoredNote draft={restored} zone={zone} />
          <Select
            label="Account"
            placeholder="Select an account"
            required
            testId="select-account"
            options={accounts.map(({ id, platform, accountName, isConnected }) => ({
              id,
              label: `${accountName} (${platformLook[platform].name})`,
              icon: <PlatformIcon platform={platform} />,
              ...(!isConnected && { note: 'Not connected' }),
            }))}
            value={draft.accountId}
            onChange={(accountId) => change({ accountId })}
            error={errors.account}
          />
          <div className="flex flex-col gap-2">
            <TextField
              label="Content"
              rows={7}
              required
              value={draft.content}
              onChange={(content) => change({ content })}
              error={errors.content ?? problems.content}
              placeholder="What do you want to say?"
            />
            {account && (
              <div className="flex justify-end">
                <LimitRing used={textLength(account.platform, draft.content)} limit={textLimits[account.platform]} />
              </div>
            )}
          </div>
          {accounts.length > 1 && (
            <Suspense fallback={null}>
              <OtherAccounts accounts={accounts} composer={composer} />
            </Suspense>
          )}
          <Writer
            client={client}
            platform={account?.platform}
            content={draft.content}
            topic={topic}
            onTopic={setTopic}
            open={writing}
            onOpen={setWriting}
            onWritten={(text) => composer.accept(text)}
          />
          {written && <WriterNote source={written.source} />}
          <ImageField
            value={draft.imageUrl}
            onChange={(imageUrl) => change({ imageUrl })}
            upload={upload}
            error={errors.imageUrl ?? upload.error ?? problems.image}
            hint={problems.imageHint}
          />
          <When draft={draft} onChange={change} error={errors.time} zone={zone} price={problems.price} />
        </div>
        <div className="md:sticky md:top-0 md:self-start">
          <Previews composer={composer} fallbackName={client.name} />
        </div>
      </div>
    </FormDialog>
  )
}
