/** The names that the members of an agency see. */

export const formerMember = 'Former member'

interface Named {
  readonly firstName: string | null
  readonly lastName: string | null
  readonly email: string
}

/** Empty for a user who gave no name. */
export const fullNameOf = ({ firstName, lastName }: Named): string => [firstName, lastName].filter(Boolean).join(' ')

/** First and last name, else the beginning of the address: most members may not see the whole one. */
export const nameOf = (user: Named | null): string =>
  user === null ? formerMember : fullNameOf(user) || (user.email.split('@')[0] ?? '')
