/** Single sign-on on the landing page: the way to the provider, and what is said after the way back. */
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { renderRoute } from '../../test/app.tsx'
import { refuse, startFakeApi } from '../../test/fake-api.ts'

const api = startFakeApi()
beforeEach(() => {
  api.on('getUser', () => refuse(401, 'Sign in first.'))
  api.on('getAgency', () => refuse(404, "This agency doesn't exist."))
  api.on('getSignIn', () => ({ methods: ['app'] }))
})
afterEach(() => document.querySelector('meta[name=sign-on]')?.remove())

function withProvider(name: string) {
  const meta = document.createElement('meta')
  meta.name = 'sign-on'
  meta.content = name
  document.head.append(meta)
}

it('The page has the way to the provider that the server names, and none without one', async () => {
  renderRoute('/')
  await screen.findByText('Create Account', { selector: 'button' })
  expect(screen.queryAllByTestId('link-sign-on')).toHaveLength(0)
})

it('The way leads to the server, which knows the provider', async () => {
  withProvider('Acme & Sons')
  renderRoute('/')
  const [link] = await screen.findAllByTestId('link-sign-on')
  expect([link?.textContent, link?.getAttribute('href')]).toEqual(['Continue with Acme & Sons', '/api/auth/oidc'])
})

it('The way keeps the focus when the form is ready', async () => {
  withProvider('Acme')
  renderRoute('/')
  const [link] = await screen.findAllByTestId('link-sign-on')
  act(() => link?.focus())
  await waitFor(() => expect(document.querySelector('form > [aria-live]')).not.toBeNull())
  expect(document.activeElement?.textContent).toBe('Continue with Acme')
  expect(document.activeElement).not.toBe(link)
})

it.each([
  ['wrong-domain', /^Email addresses of that domain may not sign in here\./],
  ['refused', /^That sign-in didn’t work\. Nothing was changed/],
  ['constructor', /^That sign-in didn’t work\. Nothing was changed/],
])('A refusal (%s) is said once, in one sentence', async (outcome, sentence) => {
  renderRoute(`/#sign-in:${outcome}`)
  expect(await screen.findByText(sentence)).toBeTruthy()
  expect(location.hash).toBe('')
})

it('A second factor is asked for after the provider', async () => {
  renderRoute('/#sign-in:second-step')
  await waitFor(() => expect(screen.getByText('Two-step sign-in').tagName).toBe('H2'))
})
