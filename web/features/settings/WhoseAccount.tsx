/** Not for people: a password manager that sees a password wants to know whose it is. */
export const WhoseAccount = ({ email }: { readonly email: string }) => (
  <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
)
