/** Each form's validation rules, when it shows errors, and what it sends. */
import { expect, test, type Page } from '@playwright/test'
import type { ApiClient } from '../../api/http/client.ts'
import { owner, signedUp } from '../../api/testing/server.ts'
import { looksRight } from '../looks.ts'
import { becomes, button, listen, openStage, type Stage } from './stage.ts'

let stage: Stage
let page: Page

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
})
test.afterAll(() => stage.close())

/** The error of each invalid field. */
const errors = () =>
  page.locator('form [aria-invalid=true]').evaluateAll((fields) =>
    fields.map((field) => {
      const ids = field.getAttribute('aria-describedby')?.split(' ') ?? []
      return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
    }),
  )
const type = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)

test.describe('signing up', () => {
  test.beforeAll(async () => {
    page = await stage.enter()
  })
  test.beforeEach(async () => {
    await page.goto('/')
    await button(page, 'Create Account').waitFor()
  })

  test('requires a valid email and a password of 8 characters [5.3, 9.5]', async () => {
    const sent = listen(page, 'POST /api/auth/register')
    await button(page, 'Create Account').click()
    await becomes(errors, ['Enter a valid email', 'Password must be at least 8 characters'])
    await looksRight(page, 'form-register-errors')
    expect(sent).toEqual([])
  })
})

test.describe('setting up the agency', () => {
  test('requires a name of 2 characters and a valid email [5.6, 9.10]', async () => {
    page = await stage.enter(await signedUp(stage.server))
    await page.goto('/onboarding')
    await type('Agency Name', 'N')
    await type('Email', 'nobody')
    await button(page, 'Create Agency').click()
    await becomes(errors, ['Agency name must be at least 2 characters', 'Valid email is required'])
    await looksRight(page, 'form-agency-errors')
    await type('Agency Name', 'No')
    await becomes(errors, ['Valid email is required'])
  })
})

test.describe('a client', () => {
  let caller: ApiClient
  test.beforeAll(async () => {
    caller = await owner(stage.server)
    page = await stage.enter(caller)
    await page.goto('/clients?add=true')
    await page.getByRole('dialog').waitFor()
  })
  const create = () => page.getByRole('dialog').getByRole('button', { name: 'Create Client' }).click()

  test('has its fields, the name marked as required, and a default colour [2.72]', async () => {
    const labels = page.getByRole('dialog').locator('label')
    expect((await labels.allTextContents()).map((text) => text.trim())).toEqual([
      'Name *',
      'Description',
      'Industry',
      'Target Audience',
      'Tone of Voice',
      'Brand Color',
      'Logo URL',
    ])
    expect(
      await page
        .locator('form [aria-required=true]')
        .evaluateAll((all) => all.map((each) => each.getAttribute('name'))),
    ).toEqual(['name'])
    expect(await page.getByLabel('Brand Color', { exact: true }).inputValue()).toBe('#3b82f6')
  })

  test('requires only a name [5.7, 5.12]', async () => {
    await create()
    await becomes(errors, ['Required'])
    await looksRight(page, 'form-client-errors')
  })

  test('can be updated field by field: each field of an update is optional [5.9]', async () => {
    const { id } = await caller.callOrThrow('addClient', { body: { name: 'Fjord' } })
    const changed = await caller.callOrThrow('reviseClient', { params: { id }, body: { industry: 'Retail' } })
    expect(changed).toMatchObject({ name: 'Fjord', industry: 'Retail' })
    expect(await caller.callOrThrow('reviseClient', { params: { id }, body: {} })).toMatchObject({
      name: 'Fjord',
      industry: 'Retail',
    })
  })

  test('without a name is refused by the server as well [5.13]', async () => {
    expect(await caller.ask('addClient', { body: {} })).toMatchObject({
      status: 400,
      text: expect.stringContaining('Required'),
    })
  })
})
