import { useMutation } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import { textLength, textLimits, type Client, type Post, type SocialAccount } from '../../../api/contract/index.ts'
import { call } from '../../lib/call.ts'
import { toastFailure } from '../../lib/post-actions.ts'
import { afterPostChange } from '../../lib/refetch.ts'
import { regenerate, type Written } from '../../lib/write.ts'
import { Button } from '../Button.tsx'
import { Dialog } from '../Dialog.tsx'
import { LimitRing } from '../LimitRing.tsx'
import { TextField } from '../TextField.tsx'
import { toast } from '../toast.ts'
import { WriterNote } from './WriterNote.tsx'

interface Props {
  readonly post: Post
  readonly client: Client | undefined
  readonly account: SocialAccount | undefined
  readonly onClose: () => void
}

export default function EditDialog({ post, client, account, onClose }: Props) {
  const [content, setContent] = useState(post.content)
  const [imageUrl, setImageUrl] = useState(post.imageUrl ?? '')
  const [written, setWritten] = useState<Written | null>(null)

  const writing = useMutation({
    mutationFn: () => regenerate(client, account),
    onSuccess: (text) => {
      setContent(text.content)
      setWritten(text)
      toast({ title: 'Content regenerated', description: 'New content generated with AI. Review and save to update the post.' })
    },
    onError: (error) => toastFailure('Failed to regenerate content', error),
  })
  const save = useMutation({
    mutationFn: () => saveChanges(post, content, imageUrl.trim(), written),
    onSuccess: async () => {
      await afterPostChange()
      onClose()
      toast({ title: 'Post updated', description: 'Post content has been updated successfully.' })
    },
    onError: (error) => toastFailure('Failed to update post', error),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Edit Post"
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            look="primary"
            onPress={() => save.mutate()}
            pending={save.isPending}
            isDisabled={save.isPending || content.trim() === ''}
            data-testid="button-save-post"
          >
            Save Changes
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <TextField label="Content" rows={8} value={content} onChange={setContent} focusFirst />
        <div className="-mt-2 flex flex-wrap items-center justify-between gap-3">
          <LimitRing used={textLength(post.platform, content)} limit={textLimits[post.platform]} />
          <Button size="sm" onPress={() => writing.mutate()} pending={writing.isPending} data-testid="button-regenerate">
            {!writing.isPending && <Sparkles aria-hidden />}
            Regenerate with AI
          </Button>
        </div>
        {written && <WriterNote source={written.source} />}
        <TextField label="Image URL" type="url" placeholder="https://" value={imageUrl} onChange={setImageUrl} />
      </div>
    </Dialog>
  )
}

/** The text and the image are two facts, so two calls; only what changed is sent. */
async function saveChanges(post: Post, content: string, imageUrl: string, written: Written | null) {
  const params = { id: post.id }
  if (content !== post.content) {
    const generationId = written?.generationId ?? null
    await call('PATCH /api/posts/{id}', { params, body: { content, generationId } })
  }
  if (imageUrl !== (post.imageUrl ?? '')) {
    await call('PATCH /api/posts/{id}', { params, body: { imageUrl } })
  }
}
