/** The agency setup: its form and its result. */
import { expect, test, type Page } from '@playwright/test'
import { signedUp } from '../../api/testing/server.ts'
import { looksRight } from '../looks.ts'
import { button, openStage, pathOf, toastIs, type Stage } from './stage.ts'

let stage: Stage
let page: Page
let email: string

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser)
  const caller = await signedUp(stage.server)
  email = (await caller.callOrThrow('getUser')).email
  page = await stage.enter(caller)
  await page.goto('/onboarding')
  await button(page, 'Create Agency').waitFor()
})
test.afterAll(() => stage.close())

test('the setup welcomes the user and says that the 7-day trial starts [2.48]', async () => {
  await page.getByRole('heading', { name: 'Welcome to SocialAI!' }).waitFor()
  await page.getByText("Let's set up your agency account. Your 7-day free trial starts now.").waitFor()
  await looksRight(page, 'onboarding')
})

test('the form has a name and a prefilled email [2.49]', async () => {
  expect(await page.locator('form label').allTextContents()).toEqual(['Agency Name', 'Email'])
  expect(await page.getByLabel('Agency Name').inputValue()).toBe('')
  expect(await page.getByLabel('Email').inputValue()).toBe(email)
})

test('creating the agency shows a pending button, then a toast and the dashboard [2.50, 7.12, 8.24]', async () => {
  const release = stage.faults.hold('POST /api/agency')
  await page.getByLabel('Agency Name').fill('North Star')
  await button(page, 'Create Agency').click()
  await page.getByRole('button', { name: 'Creating...' }).waitFor()
  release()
  await toastIs(page, 'default', 'Agency created!', 'Your 7-day free trial has started.')
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  expect(pathOf(page)).toBe('/')
})

test('the agency starts with a trial of 7 days [4.11, 9.1]', async () => {
  const [agency] = await stage.server.views.agency.all({})
  expect(agency).toMatchObject({ name: 'North Star', subscriptionStatus: 'trialing' })
  expect(Date.parse(agency?.trialEndsAt ?? '') - Date.parse(agency?.createdAt ?? '')).toBe(7 * 24 * 3_600_000)
})
