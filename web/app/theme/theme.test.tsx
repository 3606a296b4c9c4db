/** The choice of a colour theme. */
import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderRoute } from '../../test/app.tsx'
import { startFakeApi } from '../../test/fake-api.ts'
import { signedIn } from '../../test/signed-in.ts'
import { applyTheme, keepTheme } from './theme.ts'

const api = startFakeApi()
const onPage = () => document.documentElement.dataset['theme']
afterEach(() => keepTheme('system'))

it('is put on the page at once and remembered on the device; System forgets it [P14.9]', async () => {
  signedIn(api)
  const { user } = renderRoute('/clients')
  await user.click(await screen.findByRole('button', { name: 'Theme' }))
  await user.click(await screen.findByRole('radio', { name: 'Dark' }))
  await waitFor(() => expect(onPage()).toBe('dark'))
  expect(document.cookie).toContain('theme=dark')
  await screen.findByTestId('button-theme')
  await user.click(await screen.findByRole('radio', { name: 'System' }))
  await waitFor(() => expect(onPage()).toBeUndefined())
  expect(document.cookie).not.toContain('theme=')
})

it('of another tab is taken over when this one is looked at again', () => {
  document.cookie = 'theme=light; Path=/'
  applyTheme()
  expect(onPage()).toBe('light')
})
