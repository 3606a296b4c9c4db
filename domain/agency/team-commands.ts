/** The commands on an agency's people. Who acts is the context's `userId`. */
import type { Instant } from '../core/event.ts'
import type { ClientScope, GivenRole, OwnApproval } from './roles.ts'

export type TeamCommand =
  | {
      readonly type: 'InviteMember'
      readonly invitationId: string
      readonly role: GivenRole
      readonly clients: ClientScope
      readonly expiresAt: Instant
      /** The invitation of the same address that this one takes the place of; null without one. */
      readonly replaces: string | null
    }
  | { readonly type: 'WithdrawInvitation'; readonly invitationId: string }
  /** By the person who accepts. */
  | { readonly type: 'JoinTeam'; readonly invitationId: string; readonly memberId: string }
  | {
      readonly type: 'ChangeMemberRole'
      readonly memberId: string
      readonly role: GivenRole
      readonly clients: ClientScope
    }
  | { readonly type: 'RemoveMember'; readonly memberId: string; readonly links: 'kept' | 'revoked' }
  /** The same id is the same reset. */
  | { readonly type: 'ResetMemberFactors'; readonly memberId: string; readonly resetId: string }
  | { readonly type: 'LeaveTeam'; readonly memberId: string }
  /** Null: the offer is taken back, or declined. */
  | { readonly type: 'OfferOwnership'; readonly memberId: string | null }
  /** By the member to whom it was offered. */
  | { readonly type: 'AcceptOwnership'; readonly memberId: string }
  /** Whether each member needs a second factor to work here. */
  | { readonly type: 'SetSecondFactorPolicy'; readonly isRequired: boolean }
  | { readonly type: 'SetOwnApproval'; readonly ownApproval: OwnApproval }
