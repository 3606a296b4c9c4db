/** The sandbox's pages for users. */
import { describe, expect, it } from 'vitest'
import { freshSandbox } from '../test/raw.ts'
import { allow, redirectUri } from '../test/serving.ts'

const raw = freshSandbox()
const { ask } = raw
const links = [
  ['facebook', '/facebook/v25.0/dialog/oauth', 'error=access_denied&amp;error_code=200'],
  ['instagram', '/instagram/oauth/authorize', 'error=access_denied&amp;error_reason=user_denied'],
  ['x', '/x/i/oauth2/authorize', 'error=access_denied&amp;state'],
  ['linkedin', '/linkedin/oauth/v2/authorization', 'error=user_cancelled_authorize'],
] as const

const query = (more: Readonly<Record<string, string>> = {}) =>
  new URLSearchParams({
    client_id: 'app',
    redirect_uri: redirectUri,
    response_type: 'code',
    state: 'x"y',
    scope: 'tweet.write pages_manage_posts something_else',
    code_challenge: 'abc',
    code_challenge_method: 'S256',
    sandbox_account: '<b>Söder & Co</b>',
    ...more,
  })

describe.each(links)('the consent page of %s', (_, path, canceled) => {
  it('shows its purpose and the requested access, with Allow and Cancel, and runs no script', async () => {
    const { status, text, headers } = await ask(`${path}?${query()}`)
    const policy = headers.get('content-security-policy') ?? ''
    expect(status).toBe(200)
    expect(text).toContain('This is a sandbox')
    expect(text).toContain('<li>Post for you</li>')
    expect(text).toContain('<li>something_else</li>')
    expect(text).toMatch(
      /<label for="profiles">Profiles to share<\/label>\s*<textarea id="profiles"[^>]*>\n&lt;b&gt;Söder &amp; Co&lt;\/b&gt;<\/textarea>/,
    )
    expect(text).toContain('>Allow</button>')
    expect(text).toContain(`${redirectUri}?${canceled}`)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`form-action 'self' ${new URL(redirectUri).origin}`)
    expect(text).not.toMatch(/<script|style="|onclick|<b>/)
  })
  it('can be submitted with its hidden fields alone, to its own action', async () => {
    const { text } = await ask(`${path}?${query({ sandbox_account: 'Söder & Co' })}`)
    const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1] ?? ''
    const fields = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
    const form = Object.fromEntries(
      fields.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&').replaceAll('&quot;', '"')]),
    )
    const back = new URL((await ask(action, { form })).headers.get('location') ?? '')
    expect(back.searchParams.get('state')).toBe('x"y')
    expect(back.searchParams.get('code')).toMatch(/^[\w-]{20,}$/)
    expect((await ask('/')).text).toContain('Söder &amp; Co')
  })
  it('redirects only to registered URLs, and requires a name', async () => {
    expect((await ask(`${path}?${query({ redirect_uri: 'https://elsewhere.test/' })}`)).status).toBe(400)
    expect((await ask(`${path}?${query({ state: '' })}`)).status).toBe(400)
    await expect(allow(`${raw.sandbox.url}${path}?${query({ sandbox_account: ' ' })}`)).rejects.toThrow('400')
  })
})

describe('feeds', () => {
  it('escape text, and show missing data as missing', async () => {
    const back = await raw.consent('/linkedin/oauth/v2/authorization', { scope: 'openid w_member_social' }, ['Acme'])
    const form = {
      client_id: 'app',
      client_secret: 's',
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
      code: back.searchParams.get('code') ?? '',
    }
    const key = String((await ask('/linkedin/oauth/v2/accessToken', { form })).body['access_token'])
    const author = `urn:li:person:${String((await ask('/linkedin/v2/userinfo', { key })).body['sub'])}`
    const distribution = { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] }
    const json = {
      author,
      commentary: String.raw`مرحبا \<script\>alert\(1\)\</script\>`,
      visibility: 'PUBLIC',
      distribution,
      lifecycleState: 'PUBLISHED',
    }
    const headers = { 'linkedin-version': '202607', 'x-restli-protocol-version': '2.0.0' }
    const id = (await ask('/linkedin/rest/posts', { key, json, headers })).headers.get('x-restli-id') ?? ''

    const { text, headers: replyHeaders } = await ask(`/feeds/linkedin/${author}/${id}`)
    expect(text).toContain('مرحبا &lt;script&gt;alert(1)&lt;/script&gt;')
    expect(text).toContain('dir="auto"')
    expect(replyHeaders.get('content-security-policy')).toContain("style-src 'self'")
    expect((await ask(`/feeds/linkedin/${author}`)).text).toContain('1 post ')
    expect((await ask('/')).text).toContain('1 post<')
    for (const path of [
      `/feeds/linkedin/${author}/nothing`,
      `/feeds/facebook/${author}/${id}`,
      '/feeds/nowhere/x',
      '/images/x',
      '/nothing',
      '/facebook/v25.0',
    ]) {
      expect((await ask(path)).status).toBe(404)
    }
    expect((await ask('/feeds/facebook/%00')).status).toBe(404)
  })
})
