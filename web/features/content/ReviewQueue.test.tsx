/** Working through the posts that wait for a review, by keyboard and by selection. */
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Body, Post, Routes } from '../../../api/contract/index.ts'
import { findDialog, gone, renderRoute, toastIs } from '../../test/app.tsx'
import { cut, startFakeApi } from '../../test/fake-api.ts'
import { gate } from '../../../domain/test/gate.ts'
import { changed, overtaken, signedIn, type World } from '../../test/signed-in.ts'
import { aPost, cardOf } from '../../test/things.ts'

const api = startFakeApi()

/** Judges as the server does: a post that was changed since it was read is refused. */
const judges = (world: World) =>
  api.on('reviewPosts', ({ body: { ids, revisions, status, reason } }) => ({
    results: ids.map((id) => {
      const post = world.posts.find((each) => each.id === id)
      if (!post || revisions[id] !== post.revision)
        return { id, done: false, sentence: overtaken, post: post ? cardOf(post) : null }
      const after = changed(world, id, status === 'rejected' ? { status, rejectionReason: reason } : { status })
      return { id, done: true, sentence: null, post: cardOf(after) }
    }),
  }))

async function review(...posts: readonly (string | Partial<Post>)[]) {
  const world = signedIn(api)
  world.posts = posts.map((post, index) =>
    aPost(world.account, {
      status: 'pending',
      createdAt: `2030-01-${String(index + 1).padStart(2, '0')}T09:00:00.000Z`,
      ...(typeof post === 'string' ? { content: post } : post),
    }),
  )
  judges(world)
  const { user } = renderRoute(`/content?client=${world.client.id}&tab=pending`)
  await screen.findByTestId('review-bar')
  const keys = async (text: string) => {
    for (const key of text) await user.keyboard(key)
  }
  return { world, user, keys }
}

const texts = () => screen.queryAllByTestId('post-content').map(({ textContent }) => textContent)
const card = (text: string) => {
  const found = screen.getAllByTestId('post-card').find((each) => within(each).queryByText(text))
  if (!found) throw new Error(`No card with ${text}`)
  return found
}
const current = () => document.querySelector('[aria-current=true] [data-testid=post-content]')?.textContent
const looksAt = (text: string) => waitFor(() => expect(current()).toBe(text))
const remain = (...left: readonly string[]) => waitFor(() => expect(texts()).toEqual(left))
const statuses = ({ posts }: World) => posts.map(({ content, status }) => [content, status])
const approve = (count: string) => {
  const button = screen.getByTestId('button-approve-selected')
  expect(button.textContent).toBe(`Approve${count}`)
  return button
}

describe('The keyboard in the review queue', () => {
  it('goes on at the post behind the judged one, also when the list is here before the counts', async () => {
    const { keys } = await review('First', 'Second', 'Third')
    const { until, open } = gate()
    api.on('countPosts', async () => {
      await until
      return {
        byStatus: { draft: 0, pending: 2, approved: 1, scheduled: 0, published: 0, rejected: 0 },
        total: 3,
      }
    })
    await keys('j')
    await looksAt('First')
    await keys('a')
    await remain('Second', 'Third')
    open()
    await toastIs('default', '1 post approved', 'It will be published as scheduled.')
    await looksAt('Second')
  })

  it('moves with j and k, and stops at either end', async () => {
    const { keys } = await review('First', 'Second')
    await keys('j')
    await looksAt('First')
    await keys('j')
    await looksAt('Second')
    await keys('j')
    await looksAt('Second')
    await keys('kk')
    await looksAt('First')
    expect(document.activeElement).toBe(card('First'))
  })

  it('approves the current post with a, and goes on to the one that moved up', async () => {
    const { world, keys } = await review('First', 'Second')
    await keys('ja')
    await remain('Second')
    await looksAt('Second')
    await waitFor(() => expect(document.activeElement).toBe(card('Second')))
    await toastIs('default', '1 post approved', 'It will be published as scheduled.')
    expect(statuses(world)).toEqual([
      ['First', 'approved'],
      ['Second', 'pending'],
    ])
  })

  it('selects with x and rejects with r and a reason', async () => {
    const { world, user, keys } = await review('First', 'Second')
    await keys('jx')
    await screen.findByText('1 of 2 selected')
    await keys('r')
    await findDialog('Reject 1 post?')
    await user.keyboard('Off brand{Enter}')
    await remain('Second')
    await toastIs('default', '1 post rejected', 'The post is in Drafts now.')
    expect(world.posts[0]).toMatchObject({ status: 'rejected', rejectionReason: 'Off brand' })
  })

  it('works after a click on a checkbox too, in the order in which posts go out, and the reply names their times [P3.4]', async () => {
    const { user, keys } = await review(
      { content: 'Some day' },
      { content: 'In three days', scheduledFor: '2030-02-03T09:00:00.000Z' },
      { content: 'Tomorrow', scheduledFor: '2030-02-01T09:00:00.000Z' },
    )
    expect(texts()).toEqual(['Tomorrow', 'In three days', 'Some day'])
    await user.click(within(card('Tomorrow')).getByTestId('checkbox-post'))
    await keys('j')
    await looksAt('In three days')
    await keys('x')
    await screen.findByText('2 of 3 selected')
    await keys('a')
    await remain('Some day')
    await toastIs(
      'default',
      '2 posts approved',
      'They will be published as scheduled.',
      'Scheduled from Fri, Feb 1, 2030 at 10:00 AM to Sun, Feb 3, 2030 at 10:00 AM.',
    )
  })

  it('does nothing while the person types a reason', async () => {
    const { world, user, keys } = await review('First', 'Second')
    await keys('jr')
    await findDialog('Reject 1 post?')
    await user.keyboard('aajkx')
    expect(screen.getByLabelText<HTMLInputElement>(/^Reason/).value).toBe('aajkx')
    expect(statuses(world).map(([, status]) => status)).toEqual(['pending', 'pending'])
    expect(api.sent('reviewPosts')).toEqual([])
  })
})

describe('Selected posts', () => {
  it('are approved together, with the revisions that were read', async () => {
    const { world, user } = await review('One', 'Two', 'Three')
    await user.click(within(card('One')).getByTestId('checkbox-post'))
    await user.click(within(card('Three')).getByTestId('checkbox-post'))
    await screen.findByText('2 of 3 selected')
    await user.click(approve(' 2'))
    await remain('Two')
    const [one, , three] = world.posts.map(({ id }) => id)
    expect(api.sent('reviewPosts').map(({ body }) => body)).toEqual([
      { ids: [one, three], revisions: { [one ?? '']: 0, [three ?? '']: 0 }, status: 'approved' },
    ])
    await toastIs('default', '2 posts approved', 'They will be published as scheduled.')
  })

  it('that were changed meanwhile stay, say why, and can be approved once they were read', async () => {
    const { world, user } = await review('Good', 'Changed meanwhile')
    changed(world, world.posts[1]?.id ?? '', { content: 'With other words' })
    await user.click(screen.getByTestId('checkbox-all'))
    await user.click(approve(' 2'))
    await remain('With other words')
    await toastIs('destructive', 'Error', '1 of 2 posts could not be approved.', 'Its card says why.')
    expect(within(card('With other words')).getByRole('alert').textContent).toBe(overtaken)
    await user.click(approve(''))
    await remain()
    expect(statuses(world).map(([, status]) => status)).toEqual(['approved', 'approved'])
    await toastIs('default', '1 post approved', 'It will be published as scheduled.')
  })

  it('stay, each with the reason, when the server is away', async () => {
    const { world, user } = await review('One', 'Two')
    api.on('reviewPosts', () => cut)
    await user.click(screen.getByTestId('checkbox-all'))
    await user.click(approve(' 2'))
    await toastIs('destructive', 'Error', '2 of 2 posts could not be approved.', 'Their cards say why.')
    for (const text of ['One', 'Two'])
      expect(within(card(text)).getByRole('alert').textContent).toMatch(/^The server cannot be reached\./)
    judges(world)
    await user.click(approve(' 2'))
    await gone(() => screen.queryByTestId('post-card'))
    await toastIs('default', '2 posts approved', 'They will be published as scheduled.')
  })
})

describe('More than 20 posts', () => {
  it('are approved after a confirmation that names those that cannot go out [P16.3]', async () => {
    const { world, user } = await review(...Array.from({ length: 21 }, (_, index) => `Post ${index}`))
    const [blocked] = world.posts
    api.on('reviewPosts', ({ body: { ids, status, dryRun } }) => ({
      results: ids.map((id) => {
        if (dryRun) return { id, done: false, sentence: id === blocked?.id ? 'It needs an image.' : null, post: null }
        return { id, done: true, sentence: null, post: cardOf(changed(world, id, { status })) }
      }),
    }))
    await user.click(screen.getByTestId('checkbox-all'))
    await user.click(approve(' 21'))
    const dialog = await findDialog('Approve 21 posts?')
    await within(dialog).findByText("1 post can't be approved")
    expect(within(dialog).getByTestId('blocked-post').textContent).toBe(`${blocked?.content}It needs an image.`)
    await user.click(within(dialog).getByText('Approve 20 posts'))
    await gone(() => document.querySelector('[role=dialog]'))
    expect(world.posts.filter(({ status }) => status === 'approved')).toHaveLength(20)
    await waitFor(() => expect(texts()).toHaveLength(1))
    expect(screen.getByText('It needs an image.')).toBeTruthy()
  })
})

describe('A double press', () => {
  const pressTwice = (button: HTMLElement) =>
    act(() => {
      button.click()
      button.click()
    })
  const sent = () => api.sent('reviewPosts').map(({ body }) => body as Body<Routes['reviewPosts']>)

  it('approves many posts once', async () => {
    const { world, user } = await review(...Array.from({ length: 21 }, (_, index) => `Post ${index}`))
    api.on('reviewPosts', ({ body: { ids, status, dryRun } }) => ({
      results: ids.map((id) => {
        const post = dryRun ? null : cardOf(changed(world, id, { status }))
        return { id, done: !dryRun, sentence: null, post }
      }),
    }))
    await user.click(screen.getByTestId('checkbox-all'))
    await user.click(approve(' 21'))
    await findDialog('Approve 21 posts?')
    await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>('button-approve-many').disabled).toBe(false))
    pressTwice(screen.getByTestId('button-approve-many'))
    await toastIs('default', '21 posts approved', 'They will be published as scheduled.')
    expect(sent().map(({ ids, dryRun }) => (dryRun ? 0 : ids.length))).toEqual([0, 20, 1])
  })

  it('rejects once', async () => {
    const { keys } = await review('First', 'Second')
    await keys('jr')
    await findDialog('Reject 1 post?')
    pressTwice(screen.getByTestId('button-confirm-reject'))
    await toastIs('default', '1 post rejected', 'The post is in Drafts now.')
    expect(sent()).toHaveLength(1)
  })
})
