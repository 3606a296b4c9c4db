/** Periods and posts of Analytics; e2e/screens/analytics.test.ts has its charts. */
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { AnalyticsPost, AnalyticsRecord } from '../../../api/contract/index.ts'
import { findOption, renderRoute } from '../../test/app.tsx'
import { list, startFakeApi } from '../../test/fake-api.ts'
import { signedIn } from '../../test/signed-in.ts'
import { newId } from '../../test/things.ts'

const api = startFakeApi()
const sums = (views: number) => ({ views, likes: 2, comments: 1, shares: 0, engagement: 3 })

const reported = { views: true, likes: true, comments: true, shares: true, engagement: true }

function measured() {
  const world = signedIn(api)
  const record: AnalyticsRecord = {
    clientId: world.client.id,
    clientName: 'Blue Cup',
    postPlatform: 'facebook',
    ...sums(900),
    measuredAt: '2030-01-05T10:00:00.000Z',
    sample: false,
    reported,
  }
  const other = { ...record, clientId: newId(), clientName: 'Ärzte', views: 100 }
  const post = (excerpt: string, views: number | null): AnalyticsPost => ({
    id: newId(),
    clientId: world.client.id,
    clientName: 'Blue Cup',
    platform: 'instagram',
    excerpt,
    publishedAt: '2030-01-04T09:00:00.000Z',
    url: null,
    ...sums(0),
    views,
    shares: null,
    readings: [
      { at: '2030-01-04T10:00:00.000Z', views: 10, likes: 1, comments: 0, shares: null },
      { at: '2030-01-05T10:00:00.000Z', views, likes: 2, comments: 1, shares: null },
    ],
  })
  api.on('listAnalytics', () => [record, other])
  api.on('getAnalyticsPeriod', ({ query: { from, to } }) => ({
    from,
    to,
    previous: { from: '2029-12-01', to: '2029-12-31' },
    records: [{ ...record, views: 150, before: sums(100) }],
  }))
  api.on('listAnalyticsPosts', () => list([post('Coffee', 40), post('Cake', 1_200)], {}))
  return { record, other }
}
const askedPosts = () => Object.fromEntries(api.sent('listAnalyticsPosts').at(-1)?.url.searchParams ?? [])

describe('Analytics', () => {
  it('keeps the period in its address, and each tile names the change [P13.7]', async () => {
    measured()
    const { user, path } = renderRoute('/analytics?from=2030-01-01&to=2030-01-31')
    expect((await screen.findByTestId('change-views')).textContent).toBe('+50% from 100')
    expect(screen.getByTestId('tile-views').textContent).toContain('150')
    expect(screen.getByTestId('change-likes').textContent).toBe('No change')
    expect(screen.getByTestId('figures-as-of').textContent).toBe(
      'Gained Jan 1 – 31, 2030, compared with Dec 1 – 31, 2029 · Metrics as of Jan 5, 2030 at 11:00 AM',
    )
    expect(screen.getByTestId('button-export-totals').getAttribute('href')).toBe(
      '/api/analytics/export?of=totals&from=2030-01-01&to=2030-01-31',
    )
    await user.click(screen.getByTestId('select-period'))
    await user.click(await findOption('All time'))
    await waitFor(() => expect(screen.getByTestId('tile-views').textContent).toBe('Total Views1,000'))
    expect(path()).toBe('/analytics')
    await user.click(screen.getByTestId('select-period'))
    await user.click(await findOption('Last 7 days'))
    await waitFor(() => expect(path()).toBe('/analytics?period=7d'))
  })

  it('applies two chosen days, and explains days in the wrong order', async () => {
    measured()
    const { user, path } = renderRoute('/analytics?from=2030-01-01&to=2030-01-31')
    await screen.findByTestId('change-views')
    const last = screen.getByLabelText('To')
    await user.clear(last)
    await user.type(last, '2029-12-01')
    await screen.findByText('Choose a day that is not before the first')
    await user.clear(last)
    await user.type(last, '2030-01-02')
    await waitFor(() => expect(path()).toContain('to=2030-01-02'))
  })

  it('lists the posts with a line of their metrics, and sorts them by the server [P13.8]', async () => {
    measured()
    const { user, path } = renderRoute('/analytics')
    const table = await screen.findByTestId('analytics-posts')
    await within(table).findByText('Coffee')
    expect(within(table).getByLabelText('Views: from 10 to 1,200 in 2 readings')).toBeTruthy()
    expect(within(table).getAllByText('Instagram does not offer this metric')).toHaveLength(2)
    expect(askedPosts()).toEqual({})
    await user.click(within(table).getByRole('button', { name: 'Sort by Likes' }))
    await waitFor(() => expect(askedPosts()).toEqual({ sort: 'likes' }))
    await within(table).findAllByLabelText('Likes: from 1 to 2 in 2 readings')
    await user.click(within(table).getByRole('button', { name: 'Sort by Likes' }))
    await waitFor(() => expect(askedPosts()).toEqual({ sort: 'likes', order: 'asc' }))
    expect(path()).toBe('/analytics?sort=likes&order=asc')
    expect(screen.getByTestId('button-export-posts').getAttribute('href')).toBe(
      '/api/analytics/export?of=posts&sort=likes&order=asc',
    )
  })

  it('has no sum of a metric that no network in the selection reports [P13.9]', async () => {
    const { record, other } = measured()
    const withoutShares = { ...record, reported: { ...reported, shares: false } }
    api.on('listAnalytics', () => [withoutShares, { ...other, shares: 4 }])
    api.on('getAnalyticsPeriod', ({ query: { from, to } }) => ({
      from,
      to,
      previous: { from: '2029-12-01', to: '2029-12-31' },
      records: [{ ...withoutShares, before: sums(100) }],
    }))
    const { user } = renderRoute('/analytics')
    const shares = () => screen.findByTestId('tile-shares').then(({ textContent }) => textContent)
    expect(await shares()).toBe('Total Shares4')
    await user.click(screen.getByTestId('select-client'))
    await user.click(await findOption('Blue Cup'))
    await waitFor(async () => expect(await shares()).toBe('Total Shares—Not reported'))
    expect(screen.getByTestId('tile-views').textContent).toBe('Total Views900')
    await user.click(screen.getByTestId('select-period'))
    await user.click(await findOption('Last 7 days'))
    await screen.findByTestId('change-views')
    expect(await shares()).toBe('Total Shares—Not reported')
    expect(screen.queryByTestId('change-shares')).toBeNull()
  })

  it('sorts the clients of its filter as a dictionary does', async () => {
    measured()
    const { user } = renderRoute('/analytics')
    await screen.findByTestId('tile-views')
    await user.click(screen.getByTestId('select-client'))
    const options = await screen.findAllByRole('option')
    expect(options.map(({ textContent }) => textContent)).toEqual(['All Clients', 'Ärzte', 'Blue Cup'])
  })
})
