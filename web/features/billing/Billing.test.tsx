/** What Billing says of a subscription's state; e2e/screens/billing.test.ts has the rest. */
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Agency } from '../../../api/contract/index.ts'
import { renderRoute } from '../../test/app.tsx'
import { list, startFakeApi } from '../../test/fake-api.ts'
import { signedIn } from '../../test/signed-in.ts'

const api = startFakeApi()

const plan = async (parts: Partial<Agency>) => {
  const world = signedIn(api)
  world.agency = { ...world.agency, ...parts }
  api.on('listInvoices', () => list([], {}))
  renderRoute('/billing')
  return screen.findByTestId('card-plan')
}

it('A trial without an end has not ended [P7.7]', async () => {
  const card = await plan({ subscriptionStatus: 'trialing', trialEndsAt: null, standing: 'good' })
  expect(within(card).getByTestId('badge-subscription').textContent).toBe('Free Trial')
  expect(card.textContent).toContain('Your free trial is running')
  expect(card.textContent).not.toContain('ended')
})
