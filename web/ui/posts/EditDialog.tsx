import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { textLength, textLimits, type Client, type Post, type SocialAccount } from '../../../api/contract/index.ts'
import { callIf } from '../../lib/call.ts'
import { errorText, statusOf } from '../../lib/error-text.ts'
import { toastFailure } from '../../lib/post-actions.ts'
import { problemsOf } from '../../lib/post-problems.ts'
import { afterPostChange } from '../../lib/refetch.ts'
import { useUpload } from '../../lib/use-upload.ts'
import type { Written } from '../../lib/writing-events.ts'
import { Button } from '../Button.tsx'
import { FormDialog } from '../FormDialog.tsx'
import { LimitRing } from '../LimitRing.tsx'
import { ServerError } from '../ServerError.tsx'
import { TextField } from '../TextField.tsx'
import { toast } from '../toast.ts'
import { ImageField } from './ImageField.tsx'
import { Regenerate } from './Regenerate.tsx'
import { WriterNote } from './WriterNote.tsx'

interface Props {
  readonly post: Post
  readonly client: Client | undefined
  readonly account: SocialAccount | undefined
  readonly onClose: () => void
}

export default function EditDialog({ post, client, account, onClose }: Props) {
  // As it was opened: the list may bring a newer one, which nobody has read here.
  const read = useRef(post)
  const [content, setContent] = useState(post.content)
  const [imageUrl, setImageUrl] = useState(post.imageUrl ?? '')
  const [written, setWritten] = useState<Written | null>(null)
  const upload = useUpload(setImageUrl)
  const problems = problemsOf({ platform: post.platform, content, imageUrl, image: upload.factsOf(imageUrl), network: account?.network ?? null })

  const save = useMutation({
    mutationFn: async () => {
      for (const change of changesOf(read.current, content, imageUrl.trim(), written)) {
        const { id, revision } = read.current
        read.current = await callIf('PATCH /api/posts/{id}', revision, { params: { id }, body: change })
      }
    },
    onSuccess: async () => {
      await afterPostChange()
      onClose()
      toast({ title: 'Post updated', description: 'Post content has been updated successfully.' })
    },
    onError: (error) => {
      toastFailure('Failed to update post', error)
      if (statusOf(error) === 412) return afterPostChange()
    },
  })
  const overtaken = save.isError && statusOf(save.error) === 412
  const onSave = () => {
    // What somebody else wrote stands beneath by now: saving again is a choice.
    if (overtaken) read.current = post
    return save.mutateAsync()
  }
  const unsaved = content !== post.content || imageUrl !== (post.imageUrl ?? '')
  return (
    <FormDialog
      unsaved={unsaved}
      onClose={onClose}
      title="Edit Post"
      footer={
        <>
          <Button slot="close">Cancel</Button>
          <Button
            look="primary"
            onPress={onSave}
            pending={save.isPending}
            isDisabled={save.isPending || content.trim() === '' || problems.unsavable !== undefined || upload.progress !== null}
            data-testid="button-save-post"
          >
            {overtaken ? 'Save Mine Instead' : 'Save Changes'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <TextField label="Content" rows={8} value={content} onChange={setContent} error={problems.content} focusFirst />
        <div className="-mt-2 self-end">
          <LimitRing used={textLength(post.platform, content)} limit={textLimits[post.platform]} />
        </div>
        <Regenerate
          client={client}
          account={account}
          now={{ content, written }}
          onChange={(next) => {
            setContent(next.content)
            setWritten(next.written)
          }}
        />
        {written && <WriterNote source={written.source} />}
        <ImageField
          value={imageUrl}
          onChange={setImageUrl}
          upload={upload}
          error={upload.error ?? problems.image}
          hint={problems.imageHint}
        />
        <ServerError message={save.isError ? errorText(save.error) : null} />
        {overtaken && (
          <section aria-label="What the post says now" className="rounded-control bg-n3 px-3 py-2">
            <p className="text-sm text-quiet">What the post says now. Yours is still above.</p>
            <p dir="auto" className="prose-post mt-1">
              {post.content}
            </p>
          </section>
        )}
      </div>
    </FormDialog>
  )
}

type Change = Parameters<typeof callIf<'PATCH /api/posts/{id}'>>[2]['body']

/** The text and the image are two facts, so two calls; only what changed is sent. */
function changesOf(post: Post, content: string, imageUrl: string, written: Written | null): readonly Change[] {
  return [
    ...(content === post.content ? [] : [{ content, generationId: written?.generationId ?? null }]),
    ...(imageUrl === (post.imageUrl ?? '') ? [] : [{ imageUrl }]),
  ]
}
