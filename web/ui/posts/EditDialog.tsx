import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import {
  textLength,
  textLimits,
  type Client,
  type Post,
  type PostCard,
  type SocialAccount,
} from '../../../api/contract/index.ts'
import { callIf } from '../../lib/call.ts'
import { errorText, statusOf } from '../../lib/error-text.ts'
import type { KeptDraft } from '../../lib/kept-drafts.ts'
import { toastFailure } from '../../lib/post-actions.ts'
import { problemsOf } from '../../lib/post-problems.ts'
import { afterPostChange } from '../../lib/refetch.ts'
import { isShownHeld, showReply } from '../../lib/show-reply.ts'
import { useZone } from '../../lib/use-agency.ts'
import { useCurrentText } from '../../lib/use-current-text.ts'
import { useKeptDraft } from '../../lib/use-kept-draft.ts'
import { useUpload } from '../../lib/use-upload.ts'
import { useWholePost } from '../../lib/use-whole-post.ts'
import type { Written } from '../../lib/writing-events.ts'
import { Button } from '../Button.tsx'
import { FormDialog } from '../FormDialog.tsx'
import { LimitRing } from '../LimitRing.tsx'
import { LoadError } from '../LoadError.tsx'
import { ServerError } from '../ServerError.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { TextField } from '../TextField.tsx'
import { toast } from '../toast.ts'
import { ImageField } from './ImageField.tsx'
import { Regenerate } from './Regenerate.tsx'
import { RestoredNote } from './RestoredNote.tsx'
import { WriterNote } from './WriterNote.tsx'
import { words } from './words.ts'

interface Props {
  readonly card: PostCard
  readonly client: Client | undefined
  readonly account: SocialAccount | undefined
  readonly onClose: () => void
}

/** A list has only the beginning of the text: the whole text is loaded into the open dialog. */
export default function EditDialog({ card, client, account, onClose: close }: Props) {
  const { restored, keep, drop } = useKeptDraft(card.clientId, card.id)
  const onClose = () => {
    drop()
    close()
  }
  const whole = useWholePost(card)
  // The version that was opened: the list may load a newer one that the user has not seen here.
  const [opened, setOpened] = useState(whole.post)
  if (opened === undefined && whole.post !== undefined) setOpened(whole.post)
  const read = useRef<Post | null>(null)
  const [typed, setTyped] = useState<string | null>(restored?.fields['content'] ?? null)
  const [typedUrl, setTypedUrl] = useState<string | null>(restored?.fields['imageUrl'] ?? null)
  const [written, setWritten] = useState<Written | null>(null)
  const zone = useZone()
  const post = whole.post ?? opened
  const content = typed ?? opened?.content ?? ''
  const imageUrl = typedUrl ?? opened?.imageUrl ?? ''
  const upload = useUpload(
    typedUrl ?? '',
    (url, insteadOf) =>
      setTypedUrl((before) => (insteadOf === null || (before ?? '').trim() === insteadOf ? url : before)),
    [card.platform],
  )
  const problems = problemsOf({
    platform: card.platform,
    content,
    imageUrl,
    image: upload.factsOf(imageUrl),
    network: account?.network ?? null,
  })

  const save = useMutation({
    onMutate: () => ({ wasHeld: isShownHeld(card.id) }),
    mutationFn: async () => {
      let saved = read.current ?? opened
      if (!saved) return false
      const changes = changesOf(saved, content, imageUrl.trim(), written)
      for (const change of changes) {
        saved = await callIf('PATCH /api/posts/{id}', saved.revision, { params: { id: saved.id }, body: change })
        read.current = saved
        showReply(saved)
      }
      return changes.length > 0
    },
    onSuccess: async (hasChanged, __, before) => {
      if (hasChanged) await afterPostChange(before.wasHeld)
      onClose()
      if (!hasChanged) return toast(words.nothingChanged)
      toast(words.updated)
    },
    onError: (error) => {
      toastFailure(words.updateFailed, error)
      if (statusOf(error) === 412) return afterPostChange()
    },
  })
  const refusal = useCurrentText(save.isError ? errorText(save.error) : null)
  // What was typed on an earlier visit may be about a version that has changed since.
  const isOlder = opened !== undefined && hasConflict(restored, opened)
  const overtaken = isOlder || (save.isError && statusOf(save.error) === 412)
  const onSave = () => {
    // The other version is shown beneath by now, so saving again is a choice.
    if (overtaken && post) read.current = post
    return save.mutateAsync()
  }
  const unsaved = post !== undefined && (content !== post.content || imageUrl !== (post.imageUrl ?? ''))
  const revision = opened?.revision ?? null
  const typedFields = opened && JSON.stringify(fieldsOf(opened, content, imageUrl, restored))
  useEffect(() => {
    if (typedFields !== undefined) keep(unsaved ? JSON.parse(typedFields) : null, revision)
  }, [keep, unsaved, typedFields, revision])
  const isWaiting = opened === undefined || save.isPending || upload.progress !== null || upload.isConverting
  return (
    <FormDialog
      unsaved={unsaved}
      onClose={onClose}
      title={words.editPost}
      footer={
        <>
          <Button slot="close">{words.cancel}</Button>
          <Button
            look="primary"
            onPress={onSave}
            pending={save.isPending}
            isDisabled={isWaiting || content.trim() === '' || problems.unsavable !== undefined}
            data-testid="button-save-post"
          >
            {overtaken ? words.saveMine : words.saveChanges}
          </Button>
        </>
      }
    >
      {opened === undefined ? (
        <TextOnItsWay error={whole.error} onRetry={whole.retry} />
      ) : (
        <div className="flex flex-col gap-4">
          <RestoredNote draft={restored} zone={zone} />
          <TextField
            label={words.content}
            rows={8}
            value={content}
            onChange={setTyped}
            error={problems.content}
            focusFirst
          />
          <div className="-mt-2 self-end">
            <LimitRing used={textLength(opened.platform, content)} limit={textLimits[opened.platform]} />
          </div>
          <Regenerate
            client={client}
            account={account}
            now={{ content, written }}
            onChange={(next) => {
              setTyped(next.content)
              setWritten(next.written)
            }}
          />
          {written && <WriterNote source={written.source} />}
          <ImageField
            value={imageUrl}
            onChange={setTypedUrl}
            upload={upload}
            error={upload.error ?? problems.image}
            hint={problems.imageHint}
          />
          <ServerError message={refusal} />
          {overtaken && (
            <section aria-label={words.currentVersion} className="rounded-control bg-n3 px-3 py-2">
              <p className="text-sm text-quiet">{words.currentText}</p>
              <p dir="auto" className="prose-post mt-1">
                {post?.content}
              </p>
              {post && imageUrl !== (post.imageUrl ?? '') && (
                <p className="mt-1 text-sm text-quiet">
                  {post.imageUrl === null ? words.noImage : words.currentImage(post.imageUrl)}
                </p>
              )}
            </section>
          )}
        </div>
      )}
    </FormDialog>
  )
}

function TextOnItsWay({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  if (error !== null) return <LoadError what={words.theText} error={error} onRetry={onRetry} />
  return (
    <div className="flex flex-col gap-4" data-testid="editor-loading">
      <output className="sr-only">{words.loadingText}</output>
      <Skeleton className="h-4 w-16" />
      <Skeleton className="h-48 w-full" />
      <Skeleton className="h-9 w-44" />
      <Skeleton className="h-16 w-full" />
    </div>
  )
}

/** What was typed, each field with the value that it was typed over: once restored, still the earlier one. */
function fieldsOf(opened: Post, content: string, imageUrl: string, restored: KeptDraft | null) {
  const was = restored?.fields ?? {}
  const image = opened.imageUrl ?? ''
  return {
    ...(content !== opened.content && { content, contentBefore: was['contentBefore'] ?? opened.content }),
    ...(imageUrl !== image && { imageUrl, imageUrlBefore: was['imageUrlBefore'] ?? image }),
  }
}

/** Whether a field that was typed in on an earlier visit has changed since. */
function hasConflict(restored: KeptDraft | null, { content, imageUrl }: Post): boolean {
  const { contentBefore = content, imageUrlBefore = imageUrl ?? '' } = restored?.fields ?? {}
  return contentBefore !== content || imageUrlBefore !== (imageUrl ?? '')
}

type Change = Parameters<typeof callIf<'PATCH /api/posts/{id}'>>[2]['body']

/** The text and the image are two facts, so two calls; only what changed is sent. */
function changesOf(post: Post, content: string, imageUrl: string, written: Written | null): readonly Change[] {
  return [
    ...(content === post.content ? [] : [{ content, generationId: written?.generationId ?? null }]),
    ...(imageUrl === (post.imageUrl ?? '') ? [] : [{ imageUrl }]),
  ]
}
