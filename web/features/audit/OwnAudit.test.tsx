/** The audit of an agency with several people. */
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditPerson } from '../../../api/contract/index.ts'
import { answered, findOption, renderRoute } from '../../test/app.tsx'
import { startFakeApi } from '../../test/fake-api.ts'
import { signedIn } from '../../test/signed-in.ts'
import { newId } from '../../test/things.ts'

const api = startFakeApi()
let people: AuditPerson[]
beforeEach(() => {
  signedIn(api)
  api.on('getAuditAbout', () => ({ since: '2030-01-01T00:00:00.000Z', clients: [], people }))
  api.on('listAuditCheckpoints', () => [])
  api.on('listAuditorLinks', () => [])
  api.on('searchAudit', () => ({ items: [], next: null }))
})
const asked = () => api.sent('searchAudit').at(-1)?.url.searchParams.get('person') ?? null

describe('The filter by person', () => {
  it('offers members and people who left, and asks for the posts of the chosen one', async () => {
    people = [
      { id: newId(), name: 'Ada Lovelace', isFormer: false },
      { id: newId(), name: 'Grace Hopper', isFormer: true },
      { id: newId(), name: null, isFormer: true },
    ]
    const { user } = renderRoute('/audit')
    await user.click(await screen.findByTestId('select-audit-person'))
    await findOption('Anybody')
    expect([...document.querySelectorAll('[role=option]')].map(({ textContent }) => textContent)).toEqual([
      'Anybody',
      'Ada Lovelace',
      'Grace Hopper (former member)',
      'Former member',
    ])
    await user.click(await findOption('Grace Hopper'))
    await waitFor(() => expect(asked()).toBe(people[1]?.id))
    await user.click(screen.getByTestId('select-audit-person'))
    await user.click(await findOption('Anybody'))
    // The answer for all is still there.
    await waitFor(() => expect(screen.getByTestId('select-audit-person').textContent).toContain('Anybody'))
  })

  it('is absent in an agency that never had a second person', async () => {
    people = [{ id: newId(), name: 'Ada Lovelace', isFormer: false }]
    renderRoute('/audit')
    await screen.findByTestId('select-audit-status')
    await waitFor(() => expect(api.sent('getAuditAbout')).toHaveLength(1))
    await answered()
    expect(screen.queryByTestId('select-audit-person')).toBeNull()
  })
})
