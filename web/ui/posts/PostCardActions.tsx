/** What can be done with a post from its card. */
import { CalendarClock, Check, Copy, Eye, Pencil, X } from 'lucide-react'
import type { PostCard as Card, SocialAccount } from '../../../api/contract/index.ts'
import { Button } from '../Button.tsx'
import { PaidButton } from '../PaidButton.tsx'
import { PaidLink } from '../PaidLink.tsx'
import { PriceNote } from './PriceNote.tsx'
import { words } from './words.ts'

export interface CardActs {
  readonly onPreview: () => void
  readonly onEdit: () => void
  readonly onSchedule: () => void
  /** @param isWhole whether all of the text is on the card */
  readonly onApprove: (isWhole: boolean) => void
  readonly onReject: () => void
  /** The action that is under way. */
  readonly running: string | null
}

interface Props extends CardActs {
  readonly post: Card
  readonly account: SocialAccount | undefined
  /** The element that names the time which an approval or a scheduling gives. */
  readonly noteId: string | undefined
  readonly isWhole: () => boolean
}

export function PostCardActions({ post, account, noteId, isWhole, running, ...on }: Props) {
  const can = (ability: Card['can'][number]) => post.can.includes(ability)
  const beginning = beginningOf(post.excerpt)
  const withNote = noteId === undefined ? {} : { 'aria-describedby': noteId }
  return (
    <>
      <Button look="quiet" size="sm" className={narrow} onPress={on.onPreview} data-testid="button-preview">
        <Eye aria-hidden />
        {words.preview}
      </Button>
      {can('edit') && (
        <Button look="quiet" size="sm" className={narrow} onPress={on.onEdit} data-testid="button-edit">
          <Pencil aria-hidden />
          {words.edit}
        </Button>
      )}
      {can('schedule') && (
        <PaidButton
          look="quiet"
          size="sm"
          className={narrow}
          onPress={on.onSchedule}
          pending={running === 'schedule'}
          {...withNote}
          data-testid="button-schedule"
        >
          <CalendarClock aria-hidden />
          {words.schedule}
        </PaidButton>
      )}
      {can('approve') && (
        <PaidButton
          look="quiet"
          size="sm"
          className={narrow}
          aria-label={words.approveThe(beginning)}
          onPress={() => on.onApprove(isWhole())}
          pending={running === 'approve'}
          {...withNote}
          data-testid="button-approve-card"
        >
          <Check aria-hidden />
          {words.approve}
        </PaidButton>
      )}
      {can('reject') && (
        <Button
          look="quiet"
          size="sm"
          className={narrow}
          aria-label={words.rejectThe(beginning)}
          onPress={on.onReject}
          pending={running === 'reject'}
          data-testid="button-reject-card"
        >
          <X aria-hidden />
          {words.reject}
        </Button>
      )}
      <PaidLink
        look="quiet"
        size="icon"
        to="/clients/$id"
        params={{ id: post.clientId }}
        search={{ tab: 'posts', compose: true, from: post.id }}
        aria-label={words.duplicateOf(beginning)}
        title={words.duplicate}
        data-testid="button-duplicate-card"
      >
        <Copy aria-hidden />
      </PaidLink>
      {can('schedule') && post.platform === 'twitter' && !post.truncated && (
        <PriceNote platform={post.platform} content={post.excerpt} network={account?.network ?? null} />
      )}
    </>
  )
}

/** Three buttons have room beside the text, and four in a line on a phone. */
const narrow = 'px-2! @max-[24rem]:[&>svg]:hidden'

const shownCharacters = 40

/** Enough of a text to tell it from others. */
export function beginningOf(content: string): string {
  const letters = [...content]
  return letters.length <= shownCharacters ? content : `${letters.slice(0, shownCharacters).join('')}…`
}
