/** The settings of a server with single sign-on, and where its answers lead. */
export const settings = (issuer: string) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: 'socialai',
  OIDC_CLIENT_SECRET: 'a secret of the tests',
  OIDC_ALLOWED_DOMAINS: 'agency.example,example.com',
  OIDC_NAME: 'Acme',
  TRUST_PROXY: 'true',
})
export const locationOf = ({ headers }: { readonly headers: Headers }) => headers.get('location') ?? ''
