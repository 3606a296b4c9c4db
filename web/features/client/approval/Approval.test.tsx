/** Approval step by step: the policy of a client, and a post on its way through the steps. */
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AnsweredPolicy, PostStep } from '../../../../api/contract/index.ts'
import { dialogs, fill, findDialog, findOption, renderRoute, toastIs, toldUnder } from '../../../test/app.tsx'
import { list, refuse, startFakeApi } from '../../../test/fake-api.ts'
import { changed, signedIn, type World } from '../../../test/signed-in.ts'
import { aMember, aPost } from '../../../test/things.ts'

const api = startFakeApi()
let world: World
const nora = aMember({ name: 'Nora', isMe: true })
const mia = aMember({ name: 'Mia', role: 'manager' })

beforeEach(() => {
  world = signedIn(api)
  world.agency = { ...world.agency, me: { memberId: nora.id, role: 'owner', clients: 'all' } }
  const members = [nora, mia, aMember({ name: 'Wim', role: 'writer' })]
  api.on('getTeam', () => ({
    members,
    invitations: [],
    ownApproval: 'allowed',
    ownershipOfferedTo: null,
    mails: true,
    maxMembers: 50,
  }))
  api.on('getPostDelivery', () => ({ sentence: 'It waits.', act: null, at: null, attempts: [], evidence: null }))
})

const step = (parts: Partial<PostStep>): PostStep => ({
  id: '0195a000-0000-7000-8000-0000000000b1',
  name: 'Text',
  who: { kind: 'role', role: 'manager' },
  need: 'any',
  state: 'open',
  approvedBy: [],
  waitsFor: [mia.id],
  reminded: null,
  escalatedTo: null,
  reassigned: false,
  ...parts,
})
const noPolicy: AnsweredPolicy = {
  steps: [],
  ownApproval: 'agency',
  timePart: { kind: 'free' },
  remindAfterHours: [],
  ifSilent: { kind: 'wait' },
}
const last = step({ id: '0195a000-0000-7000-8000-0000000000b2', name: 'Last look', state: 'waiting', waitsFor: [] })

describe('A post with steps', () => {
  async function opened(steps: PostStep[], can: readonly ('approve' | 'skip-step' | 'reassign-step' | 'reject')[]) {
    const post = { ...aPost(world.account, { status: 'pending', content: 'Bread', steps }), can: [...can] }
    world.posts = [post]
    const { user } = renderRoute(`/content?client=${world.client.id}&tab=pending`)
    await user.click(await screen.findByTestId('button-preview'))
    const preview = within(await findDialog('Post Preview'))
    return { user, preview, post }
  }

  it('says who it waits for, and that a step is approved only after the server has', async () => {
    const { user, preview, post } = await opened([step({ waitsFor: [nora.id, mia.id] }), last], ['approve', 'reject'])
    await waitFor(() => expect(preview.getByText(/waits for Nora, Mia/)).toBeTruthy())
    const next = [
      step({ state: 'approved', approvedBy: [nora.id] }),
      { ...last, state: 'open' as const, waitsFor: [nora.id] },
    ]
    api.on('changePost', ({ params }) => changed(world, params.id, { status: 'pending', steps: next }))
    await user.click(await preview.findByTestId('button-approve'))
    await toastIs('default', 'Step approved', 'Next: Last look (Nora).')
    expect(api.sent('changePost').at(-1)?.body).toEqual({ status: 'approved', stepId: post.steps?.[0]?.id })
    await waitFor(() => expect(dialogs()).toBe(0))
    expect(screen.getByTestId('post-card').getAttribute('data-status')).toBe('pending')
  })

  it('is told to be approved with the last step', async () => {
    const { user, preview } = await opened([{ ...last, state: 'open', waitsFor: [nora.id] }], ['approve', 'reject'])
    const done = [{ ...last, state: 'approved' as const, approvedBy: [nora.id] }]
    api.on('changePost', ({ params }) => changed(world, params.id, { status: 'approved', steps: done }))
    await user.click(await preview.findByTestId('button-approve'))
    await toastIs('default', 'Post approved', 'Post has been approved and will be published as scheduled.')
    await waitFor(() => expect(dialogs()).toBe(0))
  })

  it('with nobody left is skipped with a reason', async () => {
    const { user, preview } = await opened([step({ waitsFor: [] }), last], ['skip-step', 'reject'])
    expect(preview.getByText(/no one is left who can approve it/)).toBeTruthy()
    api.on('skipStep', ({ params }) =>
      changed(world, params.id, {
        steps: [step({ state: 'skipped' }), { ...last, state: 'open', waitsFor: [nora.id] }],
      }),
    )
    await user.click(preview.getByTestId('button-skip-step'))
    const dialog = within(await findDialog('Skip “Text”?'))
    await fill(user, dialog.getByLabelText(/Reason/), 'Mia has left')
    await user.click(dialog.getByTestId('button-confirm-skip'))
    await toastIs('default', 'Step skipped', 'Next: Last look (Nora).')
    expect(api.sent('skipStep').at(-1)?.body).toEqual({ reason: 'Mia has left' })
    await waitFor(() => expect(dialogs()).toBe(0))
  })
})

describe('The open step of a post', () => {
  it('is given to other people with a reason, and says what happened to it', async () => {
    const open = step({
      waitsFor: [],
      reminded: { times: 2, lastAt: '2030-01-08T09:00:00.000Z' },
      escalatedTo: 'admin',
    })
    const post = { ...aPost(world.account, { status: 'pending', content: 'Bread', steps: [open] }) }
    world.posts = [{ ...post, can: ['skip-step', 'reassign-step'] }]
    const { user } = renderRoute(`/content?client=${world.client.id}&tab=pending`)
    await user.click(await screen.findByTestId('button-preview'))
    const preview = within(await findDialog('Post Preview'))
    expect((await preview.findByTestId('step-since')).textContent).toBe(
      'Reminded twice, last Jan 8, 2030 · Also asked: admins',
    )
    api.on('reassignStep', ({ params, body }) => {
      const who = { kind: 'members' as const, memberIds: [...body.memberIds] }
      return changed(world, params.id, { steps: [step({ who, waitsFor: [...body.memberIds], reassigned: true })] })
    })
    await user.click(preview.getByTestId('button-reassign-step'))
    const dialog = within(await findDialog('Reassign “Text”?'))
    await user.click(dialog.getByTestId('button-confirm-reassign'))
    expect(await dialog.findByText('Choose at least one person')).toBeTruthy()
    expect(dialog.queryByLabelText('Wim')).toBeNull()
    await user.click(await dialog.findByLabelText('Mia'))
    await fill(user, dialog.getByLabelText(/Reason/), 'Nora is away')
    await user.click(dialog.getByTestId('button-confirm-reassign'))
    await toastIs('default', 'Step reassigned', 'Next: Text (Mia).')
    expect(api.sent('reassignStep').at(-1)?.body).toEqual({ memberIds: [mia.id], reason: 'Nora is away' })
    await waitFor(() => expect(dialogs()).toBe(0))
  })
})

describe('The approval policy of a client', () => {
  beforeEach(() => {
    api.on('listContacts', () => [])
    api.on('listReviewLinks', () => list([], {}))
  })

  it('is edited step by step, and saved whole', async () => {
    let policy = noPolicy
    api.on('getApprovalPolicy', () => policy)
    api.on('setApprovalPolicy', ({ body }) => {
      policy = { ...body, remindAfterHours: body.remindAfterHours ?? [], ifSilent: body.ifSilent ?? noPolicy.ifSilent }
      return policy
    })
    const { user } = renderRoute(`/clients/${world.client.id}?tab=approval`)
    expect((await screen.findByTestId('no-steps')).textContent).toContain('approves each post')
    await user.click(screen.getByTestId('button-add-step'))
    await user.click(screen.getByTestId('button-save-approval'))
    expect(await screen.findByText('Enter a name')).toBeTruthy()
    await fill(user, within(screen.getByTestId('approval-step')).getByLabelText(/Name/), 'Text')
    await user.click(screen.getByLabelText('Refuse own approvals at every step'))
    await user.click(screen.getByTestId('button-save-approval'))
    await toastIs('default', 'Approval saved', 'It applies to posts that are submitted from now on.')
    expect(policy).toMatchObject({
      steps: [{ name: 'Text', who: { kind: 'role', role: 'manager' }, need: 'any' }],
      ownApproval: 'refused',
      timePart: { kind: 'free' },
    })
  })

  it('reminds at up to three times, each later than the one before, and shows what the server refuses', async () => {
    const policy: AnsweredPolicy = {
      ...noPolicy,
      steps: [{ id: last.id, name: 'Client', who: { kind: 'client' }, need: 'any' }],
      remindAfterHours: [24],
    }
    api.on('getApprovalPolicy', () => policy)
    api.on('setApprovalPolicy', () => refuse(400, 'Remind after hours 1: Choose 1 to 720 hours'))
    const { user } = renderRoute(`/clients/${world.client.id}?tab=approval`)
    const reminders = within(await screen.findByTestId('reminders'))
    const own = screen.getByLabelText('Refuse own approvals at every step')
    await user.click(own)
    expect(screen.getByText(/confirms it with a code by mail/)).toBeTruthy()
    await user.click(own)
    expect(screen.queryByText(/confirms it with a code by mail/)).toBeNull()
    expect(reminders.getByLabelText<HTMLInputElement>('First').value).toBe('24')
    const save = () => user.click(screen.getByTestId('button-save-approval'))
    await fill(user, reminders.getByLabelText('Second'), '12')
    await save()
    expect(toldUnder(reminders.getByLabelText('Second'))).toBe('Later than the one before')
    await fill(user, reminders.getByLabelText('Second'), '721')
    expect(toldUnder(reminders.getByLabelText('Second'))).toBe('Enter 1 to 720 hours')
    expect(api.sent('setApprovalPolicy')).toHaveLength(0)
    await fill(user, reminders.getByLabelText('Second'), '48')
    await user.click(reminders.getByTestId('select-if-silent'))
    await user.click(await findOption('Ask the admins too'))
    expect(reminders.getByText(/these people are told/)).toBeTruthy()
    await save()
    expect(await reminders.findByText('Choose 1 to 720 hours')).toBeTruthy()
    expect(api.sent('setApprovalPolicy').at(-1)?.body).toMatchObject({
      remindAfterHours: [24, 48],
      ifSilent: { kind: 'escalate', to: 'admin' },
    })
    for (const name of ['First', 'Second']) await user.clear(reminders.getByLabelText(name))
    await save()
    expect(reminders.getByText('Choose when to remind first')).toBeTruthy()
  })

  it('is read by managers, and changed by owners and admins', async () => {
    world.agency = { ...world.agency, me: { memberId: mia.id, role: 'manager', clients: 'all' } }
    const policy: AnsweredPolicy = {
      ...noPolicy,
      steps: [{ id: last.id, name: 'Last look', who: { kind: 'role', role: 'owner' }, need: 'all' }],
    }
    api.on('getApprovalPolicy', () => policy)
    renderRoute(`/clients/${world.client.id}?tab=approval`)
    expect(await screen.findByDisplayValue('Last look')).toBeTruthy()
    expect(screen.queryByTestId('button-save-approval')).toBeNull()
  })
})
