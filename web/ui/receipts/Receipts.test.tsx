/** Receipts of a client's verdicts: in a post's preview, and on the page behind a review link. */
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { HistoryEntry, Receipt, ReceiptStatement, ReviewedPost } from '../../../api/contract/index.ts'
import { closeApp, findDialog, renderRoute } from '../../test/app.tsx'
import { list, refuse, startFakeApi } from '../../test/fake-api.ts'
import { signedIn } from '../../test/signed-in.ts'
import { aPost, newId } from '../../test/things.ts'

const api = startFakeApi()
afterEach(() => {
  closeApp()
  vi.restoreAllMocks()
})

const jws = (payload: object) => `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.c2ln`
const at = '2030-03-01T08:00:00.000Z'

function aReceipt(parts: Partial<ReceiptStatement> = {}, name: string | null = 'Nora Lind'): Receipt {
  const statement: ReceiptStatement = {
    version: 1,
    agencyId: 'agency',
    clientId: 'client',
    postId: 'post',
    event: { id: newId(), type: 'PostSignedOff', revision: 3, hash: 'event-hash' },
    verdict: 'approve',
    step: 'Client — ja',
    submission: 2,
    approvalHash: 'v1:approved',
    contentHash: 'text-hash',
    mediaHash: null,
    reviewerId: 'reviewer-1',
    linkId: 'link-1',
    verified: 'code',
    at,
    skipped: [{ stepId: 's', reason: 'On leave', at }],
    checkpoint: jws({ version: 2, position: 'p', at, events: 1234, root: 'r' }),
    ...parts,
  }
  const { event, verdict, step, submission, verified, reviewerId } = statement
  const of = { verdict, step, submission, verified, at: statement.at }
  return { id: event.id, ...of, reviewer: { id: reviewerId, name }, signed: jws(statement) }
}

const anEntry = (parts: Partial<HistoryEntry>): HistoryEntry => ({
  revision: 0,
  type: 'PostWritten',
  at,
  actor: { type: 'user', id: 'user-1', name: 'Ada', role: 'owner' },
  status: 'pending',
  delivery: 'none',
  content: 'Bread',
  imageUrl: null,
  scheduledFor: null,
  deleted: false,
  data: {},
  hash: 'h',
  ...parts,
})
const verdict = anEntry({
  revision: 1,
  type: 'PostReviewed',
  actor: { type: 'reviewer', id: 'reviewer-1', name: 'Nora Lind', role: null },
  data: { verdict: 'approve' },
})

describe("A post's receipts", () => {
  async function preview(history: () => ReturnType<typeof list>) {
    const world = signedIn(api)
    world.posts = [aPost(world.account, { status: 'pending', content: 'Bread', revision: 1 })]
    api.on('getPostHistory', history)
    const { user } = renderRoute(`/content?client=${world.client.id}&tab=pending`)
    await user.click(await screen.findByTestId('button-preview'))
    const dialog = within(await findDialog('Post Preview'))
    await dialog.findAllByTestId('history-entry')
    return { user, dialog }
  }

  it('are listed with who, what, how it was verified, when and the checkpoint', async () => {
    const named = aReceipt({ verdict: 'changes', verified: 'named', step: null, checkpoint: null }, null)
    api.on('getReceipts', () => [aReceipt(), named])
    const { user, dialog } = await preview(() => list([anEntry({}), verdict], {}))
    expect(api.sent('getReceipts')).toHaveLength(0)
    await user.click(await dialog.findByTestId('button-receipts'))
    await findDialog('Receipts')
    const texts = (await screen.findAllByTestId('receipt')).map(({ textContent }) => textContent)
    expect(texts[0]).toContain('Former reviewer asked for changes to version 2')
    expect(texts[0]).toContain('Identity: Only named, not verified')
    expect(texts[0]).toContain('Checkpoint: None was signed yet')
    expect(texts[1]).toContain('Nora Lind approved version 2')
    expect(texts[1]).toContain('Fulfilled step: Client — ja')
    expect(texts[1]).toContain('Mar 1, 2030')
    expect(texts[1]).toMatch(/Checkpoint: Signed .*, over 1,234 entries/)
  })

  it('are copied, and printed on a page of their own', async () => {
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
    const receipt = aReceipt()
    api.on('getReceipts', () => [receipt])
    const { user, dialog } = await preview(() => list([verdict], {}))
    await user.click(await dialog.findByTestId('button-receipts'))
    await user.click(await screen.findByTestId('button-copy-receipt'))
    expect(await navigator.clipboard.readText()).toBe(receipt.signed)
    await waitFor(() => expect(screen.getByTestId('button-copy-receipt').textContent).toBe('Copied'))
    await user.click(screen.getByTestId('button-print-receipt'))
    const sheet = await screen.findByTestId('receipt-sheet')
    await waitFor(() => expect(print).toHaveBeenCalledTimes(1))
    expect(sheet.textContent).toContain(receipt.signed)
    expect(sheet.textContent).toContain('npm run audit -- verify receipt.txt --keys keys.json')
    expect(sheet.textContent).toContain('On leave')
    await user.click(within(sheet).getByTestId('button-close-sheet'))
    await findDialog('Receipts')
  })

  it('are not offered for a post that the client did not judge', async () => {
    const { dialog } = await preview(() => list([anEntry({})], {}))
    expect(dialog.queryByTestId('button-receipts')).toBeNull()
    expect(api.sent('getReceipts')).toHaveLength(0)
  })

  it('are looked for where earlier events are not loaded', async () => {
    api.on('getReceipts', () => [aReceipt()])
    const { dialog } = await preview(() => list([anEntry({ revision: 60 })], { next: '/api/x?cursor=abc' }))
    expect(await dialog.findByTestId('button-receipts')).toBeTruthy()
  })
})

it('A reviewer opens the own receipt after a verdict', async () => {
  const token = 'p3Zb0TkXn5mQ8sVt2Lr9WcYd4FgHjK6eUaIoN1xSvBE'
  const post: ReviewedPost = {
    id: newId(),
    platform: 'facebook',
    accountName: 'Blue Cup',
    content: 'Bread',
    imageUrl: null,
    scheduledFor: null,
    status: 'pending',
    held: null,
    url: null,
    version: 1,
    hash: 'hash-1',
    textHash: `v1:${'0'.repeat(64)}`,
    imageHash: null,
    comments: 0,
    commentChanges: 0,
    verdict: { verdict: 'approve', version: 1, at, isCurrent: true },
    seen: null,
    can: [],
    isStep: true,
    isStepAhead: false,
  }
  api.on('getUser', () => refuse(401, 'Sign in first.'))
  api.on('openReview', () => undefined)
  api.on('lookAtReview', () => ({
    state: 'open',
    agency: { name: 'North Star', logoUrl: null, color: null },
    clientName: 'Blue Cup',
    timeZone: 'Europe/Berlin',
    issuedBy: 'Ada',
    expiresAt: '2030-03-10T08:00:00.000Z',
    may: ['approve'],
    you: { id: 'reviewer-1', name: 'Nora Lind', verified: 'named' },
    canVerify: false,
    isPaused: false,
    posts: [post, { ...post, id: newId(), verdict: null }],
    total: 2,
    done: 1,
    next: null,
  }))
  api.on('listOwnReceipts', () => [aReceipt()])
  const { user } = renderRoute(`/review#${token}`)
  const [button, ...others] = await screen.findAllByTestId('button-own-receipt')
  expect(others).toEqual([])
  if (button) await user.click(button)
  await findDialog('Your receipt')
  expect((await screen.findByTestId('receipt')).textContent).toContain('Nora Lind approved version 2')
  expect(api.sent('listOwnReceipts')[0]?.body).toEqual({ token, postId: post.id })
})
