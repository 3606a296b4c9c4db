/** Why a command on an agency's people is refused. */
export type TeamRefusal =
  | { readonly reason: 'not-a-member' }
  | { readonly reason: 'role-too-low' }
  | { readonly reason: 'member-unknown' }
  | { readonly reason: 'member-already' }
  | { readonly reason: 'member-limit-reached'; readonly limit: number }
  | { readonly reason: 'invitation-limit-reached'; readonly limit: number }
  | { readonly reason: 'invited-often'; readonly limit: number; readonly waitMs: number }
  | { readonly reason: 'invitation-unknown' }
  | { readonly reason: 'invitation-over' }
  | { readonly reason: 'invitation-accepted' }
  | { readonly reason: 'clients-for-role' }
  | { readonly reason: 'client-unknown' }
  | { readonly reason: 'id-taken' }
  | { readonly reason: 'owner-stays' }
  | { readonly reason: 'leave-instead' }
  | { readonly reason: 'own-factors' }
  | { readonly reason: 'not-below' }
  | { readonly reason: 'works-elsewhere' }
  | { readonly reason: 'no-factors' }
  | { readonly reason: 'ownership-not-offered' }
  | { readonly reason: 'owns-another-agency' }
