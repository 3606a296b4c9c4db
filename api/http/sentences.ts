/** The sentence for each refusal of the domain rules: the single table. */
import type { PostStatus } from '../../domain/post/commands.ts'
import type { PostRefusal } from '../../domain/post/rules.ts'
import { startsFrom, type Ability } from '../../domain/post/state-table.ts'
import { contentTooLongSentence, problemSentence } from '../contract/post-problems.ts'
import { subscriptionSentence } from '../contract/standing.ts'
import { retryAfter, waitInWords } from '../core/wait-in-words.ts'
import type { AnyRefusal } from '../core/commands.ts'
import { networkNames } from '../contract/network-names.ts'
import { Problem } from './problem.ts'

const statusNames: Readonly<Record<PostStatus, string>> = {
  draft: 'a draft',
  pending: 'pending review',
  approved: 'approved',
  scheduled: 'scheduled',
  published: 'published',
  rejected: 'rejected',
}

const abilityNames: Readonly<Record<Ability | 'hold', string>> = {
  edit: 'edited',
  plan: 'given a time',
  submit: 'submitted for review',
  approve: 'approved',
  'skip-step': 'moved past a step',
  'reassign-step': 'given to other people',
  hold: 'put on hold',
  reject: 'rejected',
  schedule: 'scheduled',
  'publish-now': 'published now',
  reschedule: 'moved to another time',
  'return-to-draft': 'returned to drafts',
  resolve: 'settled',
  retry: 'tried again',
  release: 'released',
  assign: 'assigned',
  delete: 'deleted',
}

const listed = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

function wrongState({ ability, status, delivery }: Extract<PostRefusal, { ability: Ability | 'hold' }>): string {
  const act = abilityNames[ability]
  if (ability === 'resolve') return "Only a post whose outcome is unknown can be settled. This one's is known."
  if (ability === 'retry') return "Only a post that failed can be tried again. This one hasn't."
  if (ability === 'release') return "Only a post that is on hold can be released. This one isn't."
  if (delivery === 'claimed') return `This post is being published right now, so it can't be ${act}.`
  if (delivery === 'unknown') {
    return `It isn't known yet whether this post is live, so it can't be ${act}. Settle that first.`
  }
  if (ability === 'publish-now' && delivery === 'held') return 'This post is on hold. Release it instead.'
  if (ability === 'publish-now' && delivery === 'failed') return 'Publishing this post failed. Try it again instead.'
  const from = listed(startsFrom(ability === 'hold' ? 'reschedule' : ability).map((name) => statusNames[name]))
  return `Only a post that is ${from} can be ${act}. This one is ${statusNames[status]}.`
}

function sentence(refusal: AnyRefusal): string {
  switch (refusal.reason) {
    case 'agency-exists':
      return 'You have an agency already.'
    case 'agency-unknown':
      return 'There is no agency yet.'
    case 'client-limit-reached':
      return `Your plan includes ${refusal.limit} clients, and you have them all. Remove one to add another.`
    case 'client-unknown':
      return "This client doesn't exist."
    case 'account-unknown':
      return "This social account doesn't exist."
    case 'post-unknown':
      return "This post doesn't exist."
    case 'schedule-unknown':
      return "This posting schedule doesn't exist."
    case 'account-has-a-schedule':
      return 'This account has a posting schedule already.'
    case 'account-limit-reached':
      return `A client has at most ${refusal.limit} social accounts.`
    case 'account-was-connected':
      return 'This account was connected, so its posts keep its name. Disconnect it instead.'
    case 'account-in-use':
      return 'Posts or a posting schedule name this account. Delete them first.'
    case 'account-listed-twice':
      return `${refusal.accountName} is on the list already. Connect it there.`
    case 'id-taken':
      return 'This request was sent before with other content. Send it again with a new key.'
    case 'made-and-deleted':
      return 'This was created before and has been deleted since. To create it again, send it with a new key.'
    case 'trial-still-runs':
      return 'The free trial is still running.'
    case 'subscription-needed':
      return subscriptionSentence[refusal.standing]
    case 'wrong-state':
    case 'being-published':
    case 'outcome-unknown':
      return wrongState(refusal)
    case 'content-empty':
      return 'Content must not be empty.'
    case 'content-too-long':
      return contentTooLongSentence(refusal)
    case 'over-limit':
    case 'too-many':
    case 'needs-an-image':
    case 'image-type':
    case 'image-too-large':
    case 'image-ratio':
    case 'image-pixels':
      return problemSentence(refusal)
    case 'scheduled-in-the-past':
      return 'That time has passed. Choose a time in the future.'
    case 'not-due':
      return 'This post is not due yet.'
    case 'not-claimable':
      return "This post isn't waiting to be published."
    case 'not-connected':
      return 'The social account is not connected. Connect it first.'
    case 'account-paused':
      return 'The network asked us to slow down, so the posts of this account wait a moment.'
    case 'image-unusable':
      return `The image can't be used. ${refusal.sentence}`
    case 'quota-used-up':
      return `${networkNames[refusal.platform]} takes no more posts of this account for now. Choose a later time.`
    case 'not-what-was-approved':
      return 'The account is connected to another profile than the one this post was approved for. Approve it again.'
    case 'attempt-over':
      return 'This attempt to publish is over. Refresh to see the current one.'
    case 'link-unknown':
      return "This link doesn't exist."
    case 'link-revoked':
      return 'This link was withdrawn. Ask the agency for a new one.'
    case 'link-expired':
      return 'This link has expired. Ask the agency for a new one.'
    case 'expiry-out-of-bounds':
      return `Choose an end that lies ahead, at most ${refusal.maxDays} days.`
    case 'contact-unknown':
      return "A chosen person isn't a contact of this client any more."
    case 'reviewed-post-unknown':
      return "A chosen post isn't there any more, or was never submitted for review."
    case 'reviewers-missing':
      return 'Choose the people who review, or let everyone with the link review.'
    case 'code-for-contacts':
      return 'Codes go to contacts only. Choose another lock for a link that everyone may use.'
    case 'no-mail-server':
      return 'This server sends no mail, so it can send no codes. Choose another lock.'
    case 'review-expiry-out-of-bounds':
      return `Choose an end that lies an hour ahead or more, at most ${refusal.maxDays} days.`
    case 'review-link-limit-reached':
      return `At most ${refusal.limit} review links are open at once. Revoke one to send another.`
    case 'right-missing':
      return "Your role doesn't allow that for this post."
    case 'own-post':
      return 'You wrote the current text or image of this post, so another member has to approve it.'
    case 'approval-needed':
      return "This client's posts need approval first."
    case 'step-over':
      return "This step isn't open. Refresh to see the current one."
    case 'not-your-step':
      return 'This step waits for the approval of other people.'
    case 'approver-is-author':
      return 'A chosen person wrote the current text or image of this post, so another member has to approve it.'
    case 'step-of-client':
      return "This step is the client's, so it can't be given to other people. Skip it instead."
    case 'agreed-time-passed':
      return 'Choose a new time. The one that this approval is for has passed: return the post to drafts, and submit it again.'
    case 'beyond-agreed-time':
      return 'The approval is for another time. Move the post to the new one, and have it approved again.'
    case 'version-changed':
      return 'The agency has changed this post meanwhile. Please look at the new version.'
    case 'too-many-verdicts':
      return 'Too many people have judged this version already.'
    case 'approvals-paused':
      return 'Approvals are paused. Please contact the agency.'
    case 'code-needed':
      return 'Confirm who you are first, with a code by mail.'
    case 'contact-of-author':
      return "Your approval can't count here, because an author of this post entered your address. Please contact the agency."
    case 'contact-limit-reached':
      return `A client has at most ${refusal.limit} contacts. Remove one to add another.`
    case 'step-id-twice':
      return 'Two steps have the same id. Give each step an id of its own.'
    case 'approver-unfit':
      return "A chosen person isn't there any more, or doesn't approve posts of this client."
    case 'not-assignable':
      return "This person doesn't work for the post's client."
    case 'not-published':
      return 'This post is not published.'
    case 'comment-unknown':
      return "This comment doesn't exist."
    case 'comment-limit-reached':
      return `A post has at most ${refusal.limit} comments.`
    case 'edit-limit-reached':
      return `A comment is edited at most ${refusal.limit} times.`
    case 'reply-to-reply':
      return 'Reply to the first comment of the thread instead.'
    case 'audience-of-thread':
      return 'A reply is for the same people as the comment that it replies to.'
    case 'team-only':
      return 'Only members of the agency comment for the team.'
    case 'mention-unfit':
      return "A mentioned person isn't there any more, or doesn't work for this client."
    case 'comment-of-another':
      return "This isn't your comment."
    case 'commented-text-changed':
      return 'The text has changed. Refresh to see the current one.'
    case 'commented-image-changed':
      return 'The image has changed. Refresh to see the current one.'
    case 'range-empty':
      return 'Anchor to: The range ends before it begins'
    case 'range-beyond-text':
      return `Anchor to: The text ends at ${refusal.length}`
    case 'range-inside-character':
      return `Anchor ${refusal.field}: Inside an emoji or another single character`
    case 'log-budget-used-up':
      return `Your agency has written ${refusal.megabytes} MB since midnight UTC, which is as much as this server takes a day. You can go on in ${waitInWords(refusal.waitMs)}.`
    case 'not-a-member':
      return 'You are no longer a member of this agency.'
    case 'role-too-low':
      return "Your role doesn't allow that."
    case 'member-unknown':
      return "This person isn't a member of the agency."
    case 'member-already':
      return 'You are a member of this agency already.'
    case 'member-limit-reached':
      return `An agency has at most ${refusal.limit} members. Remove one to add another.`
    case 'invitation-limit-reached':
      return `At most ${refusal.limit} invitations are open at once. Withdraw one to send another.`
    case 'invited-often':
      return `An agency sends at most ${refusal.limit} invitations an hour. You can go on in ${waitInWords(refusal.waitMs)}.`
    case 'invitation-unknown':
      return "This invitation doesn't exist."
    case 'invitation-over':
      return 'This invitation is over. Ask the agency for a new one.'
    case 'invitation-accepted':
      return 'This invitation was accepted already.'
    case 'clients-for-role':
      return 'Owners and admins always work for all clients. Choose another role to limit the clients.'
    case 'owner-stays':
      return 'The owner stays until another member has accepted the ownership.'
    case 'leave-instead':
      return "You can't remove yourself. Leave the agency instead."
    case 'own-factors':
      return 'Your own second factors are in Settings, Security.'
    case 'not-below':
      return 'You can only reset the second factors of people whose role is below yours.'
    case 'works-elsewhere':
      return 'This person works for another agency too, so only the operator of this server can reset their second factors: npm run users -- reset-factors.'
    case 'no-factors':
      return 'This person has no second factor. Nothing was changed.'
    case 'ownership-not-offered':
      return 'The ownership was not offered to you, or the offer was taken back.'
    case 'owns-another-agency':
      return 'You own another agency already, and a person owns one at most.'
    case 'stale-revision':
      return 'Somebody changed this meanwhile. Refresh to see the latest version.'
  }
}

const statuses: Readonly<Partial<Record<AnyRefusal['reason'], number>>> = {
  'content-too-long': 400,
  'range-empty': 400,
  'range-beyond-text': 400,
  'range-inside-character': 400,
  'subscription-needed': 402,
  'client-unknown': 404,
  'account-unknown': 404,
  'post-unknown': 404,
  'schedule-unknown': 404,
  'agency-unknown': 404,
  'link-unknown': 404,
  'member-unknown': 404,
  'invitation-unknown': 404,
  'comment-unknown': 404,
  'not-a-member': 403,
  'role-too-low': 403,
  'not-below': 403,
  'right-missing': 403,
  'comment-of-another': 403,
  'team-only': 403,
  'link-revoked': 403,
  'link-expired': 403,
  'stale-revision': 412,
  'log-budget-used-up': 429,
  'invited-often': 429,
}

export const problemOf = (refusal: AnyRefusal): Problem =>
  new Problem(
    statuses[refusal.reason] ?? 409,
    refusal.reason,
    sentence(refusal),
    'waitMs' in refusal ? retryAfter(refusal.waitMs) : {},
  )
