/** The landing page: its text, its buttons, and signing up and in. */
import { expect, test, type Page } from '@playwright/test'
import { ApiClient } from '../../api/http/client.ts'
import { owner } from '../../api/testing/server.ts'
import { looksRight } from '../looks.ts'
import { becomes, button, listen, openStage, pathOf, toastIs, type Stage } from './stage.ts'

let stage: Stage
let page: Page

test.beforeAll(async ({ browser }) => {
  stage = await openStage(browser, { animated: true })
  page = await stage.enter()
  await openPage()
})
test.afterAll(() => stage.close())

async function openPage() {
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
}

const hero = () => page.locator('main > section').first()
const auth = () => page.locator('#auth')
const tab = (name: string) => auth().getByRole('tab', { name, exact: true })
const isChosen = (name: string) => tab(name).getAttribute('aria-selected')
const isInSight = (selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top } = element.getBoundingClientRect()
    return top >= 0 && top < window.innerHeight / 2
  })

/** How many positions a page shows that jumps. A busy machine may show few between them. */
const startAndEnd = 2

/** Each scroll position of the page until it stops at the section. */
async function positionsWhile(act: () => Promise<void>): Promise<readonly number[]> {
  await page.evaluate(() => {
    const seen: number[] = []
    Object.assign(window, { seen })
    const look = () => {
      seen.push(window.scrollY)
      requestAnimationFrame(look)
    }
    look()
  })
  await act()
  await becomes(() => isInSight('#auth'), true)
  const hasStopped = () => page.evaluate((frames) => new Set(Reflect.get(window, 'seen').slice(-frames)).size === 1, 10)
  await becomes(hasStopped, true)
  const seen = await page.evaluate<number[]>(() => Reflect.get(window, 'seen'))
  return [...new Set(seen)]
}

test.describe("the landing page's text", () => {
  test("has a headline about managing clients' social media with AI [2.31]", async () => {
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/clients' social media with AI/)
  })

  test('offers a trial of 7 days, without a credit card, to be cancelled anytime [1.10]', async () => {
    await hero().getByText('7-day free trial. No credit card required. Cancel anytime.').waitFor()
  })

  test('names the features on six cards [1.6, 2.37]', async () => {
    const cards = page.locator('#features').getByTestId('feature-card')
    expect(await cards.getByRole('heading').allTextContents()).toEqual([
      'AI content generation',
      'Smart scheduling',
      'Analytics dashboard',
      'Up to 10 clients',
      'Fast onboarding',
      'Secure and reliable',
    ])
  })

  for (const [name, words] of [
    ['AI content generation', 'brand voice'],
    ['Smart scheduling', 'Customizable times and frequencies'],
    ['Up to 10 clients', 'its own branding, social accounts and content strategy'],
    ['Secure and reliable', '99.9% uptime and automatic backups'],
  ] as const)
    test(`says on the card of ${name}: ${words} [1.9, 9.31]`, async () => {
      expect(await page.getByTestId('feature-card').filter({ hasText: name }).textContent()).toContain(words)
    })

  test('shows the Agency Plan at $49 per month with what it includes [1.11, 2.38]', async () => {
    const card = page.getByTestId('pricing-card')
    await card.getByRole('heading', { name: 'Agency Plan' }).waitFor()
    expect(await card.textContent()).toContain('$49per month')
    expect(await card.getByRole('listitem').allTextContents()).toEqual([
      'Up to 10 clients',
      'Unlimited AI-generated posts',
      'All social media platforms',
      'Advanced analytics',
      'Priority support',
    ])
  })

  test('has a footer with 2024 [1.14, 2.40]', async () => {
    expect(await page.getByRole('contentinfo').textContent()).toContain('© 2024')
  })

  test('looks right with either form [2.45]', async () => {
    await looksRight(page, 'landing')
    await tab('Sign In').click()
    await page.getByText('Welcome back').waitFor()
    await looksRight(page, 'landing-sign-in')
  })
})

test.describe("the landing page's buttons", () => {
  test.beforeEach(openPage)

  test('are three in the hero [2.32]', async () => {
    await expect
      .poll(() => hero().locator('button, a').allTextContents())
      .toEqual(['Start Free Trial', 'Sign In', 'Learn More'])
  })

  test('include Sign In, which switches the tab and scrolls smoothly to the form [2.34]', async () => {
    const positions = await positionsWhile(() => hero().getByRole('button', { name: 'Sign In' }).click())
    expect(await isChosen('Sign In')).toBe('true')
    expect(positions.length).toBeGreaterThan(startAndEnd)
  })

  test('include Start Free Trial, which switches back and scrolls smoothly to the form [2.33]', async () => {
    await tab('Sign In').click()
    await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }))
    const positions = await positionsWhile(() => hero().getByRole('button', { name: 'Start Free Trial' }).click())
    expect(await isChosen('Start Free Trial')).toBe('true')
    expect(positions.length).toBeGreaterThan(startAndEnd)
  })

  test('include Learn More, which jumps to the features [2.35]', async () => {
    await hero().getByRole('link', { name: 'Learn More' }).click()
    await page.waitForURL(/#features$/)
    await becomes(() => isInSight('#features'), true)
  })

  test("include the plan's Start Free Trial, which opens the register tab [2.39]", async () => {
    await tab('Sign In').click()
    await page.getByTestId('pricing-card').getByRole('button', { name: 'Start Free Trial' }).click()
    expect(await isChosen('Start Free Trial')).toBe('true')
    await becomes(() => isInSight('#auth'), true)
  })
})

test.describe('the two tabs', () => {
  test.beforeAll(openPage)

  const fields = () => auth().getByRole('textbox').or(auth().locator('input[type=password]'))
  const labels = () =>
    fields().evaluateAll((inputs) =>
      inputs.map((input) => (input instanceof HTMLInputElement ? input.labels?.[0]?.innerText : undefined)),
    )

  test('show register first [2.36]', async () => {
    expect(await auth().getByRole('tab').allTextContents()).toEqual(['Start Free Trial', 'Sign In'])
    expect(await isChosen('Start Free Trial')).toBe('true')
  })

  test('include register with its title, text, fields and button [2.41]', async () => {
    await auth().getByRole('heading', { name: 'Create your agency account' }).waitFor()
    await auth().getByText('Begin your 7-day free trial with no credit card required.').waitFor()
    expect(await labels()).toEqual(['First Name', 'Last Name', 'Email', 'Password'])
    await button(page, 'Create Account').waitFor()
  })

  test('include login with its title, text, fields and button [2.43]', async () => {
    await tab('Sign In').click()
    await auth().getByRole('heading', { name: 'Welcome back' }).waitFor()
    await auth().getByText('Sign in to manage your clients and content calendar.').waitFor()
    expect(await labels()).toEqual(['Email', 'Password'])
    await auth().getByRole('tabpanel').getByRole('button', { name: 'Sign In' }).waitFor()
  })
})

test.describe('authentication', () => {
  test.beforeEach(async () => {
    page = await stage.enter()
    await openPage()
  })
  test.afterEach(async () => {
    stage.faults.mend()
    await page.context().close()
  })

  test('a button that is pressed while its form is loaded does what it says', async () => {
    let arrive = () => {}
    const arrival = new Promise<void>((resolve) => (arrive = resolve))
    const form = /\/RegisterForm-[^/]+\.js$/
    await page.route(form, async (route) => {
      await arrival
      await route.continue()
    })
    await button(page, 'Create Account').hover()
    const loaded = page.waitForResponse(form)
    await page.mouse.down()
    arrive()
    await loaded
    await page.evaluate(async () => {
      for (let frames = 0; frames < 10; frames++) await new Promise(requestAnimationFrame)
    })
    await page.mouse.up()
    await page.getByText('Enter a valid email').waitFor()
  })

  test('signing up shows a pending button, then a toast, and stores the returned user [2.42, 4.14, 8.23]', async () => {
    const release = stage.faults.hold('POST /api/auth/register')
    const asked = listen(page, 'GET /api/auth/user')
    await page.getByLabel('Email').fill('ada@northstar.example')
    await page.getByLabel('Password').fill('correct horse')
    await button(page, 'Create Account').click()
    await page.getByRole('button', { name: 'Creating account…' }).waitFor()
    await looksRight(page, 'landing-creating')
    release()
    await toastIs(page, 'default', 'Account created!', "You're all set to get started.")
    await page.waitForURL('**/onboarding')
    expect(asked).toEqual([])
  })

  test('signing in shows a pending button, then a toast, and stores the returned user [2.44, 4.15, 8.22]', async () => {
    const caller = await owner(stage.server)
    const { email } = await caller.callOrThrow('getUser')
    const release = stage.faults.hold('POST /api/auth/login')
    const asked = listen(page, 'GET /api/auth/user')
    await tab('Sign In').click()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill('correct horse')
    await auth().getByRole('tabpanel').getByRole('button', { name: 'Sign In' }).click()
    await page.getByRole('button', { name: 'Signing in…' }).waitFor()
    release()
    await toastIs(page, 'default', 'Welcome back!', "You're now signed in.")
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    expect(pathOf(page)).toBe('/')
    expect(asked).toEqual([])
  })

  test('signing in works only with the email and the password of the sign-up [1.13]', async () => {
    const caller = new ApiClient(stage.server.url)
    await caller.callOrThrow('register', { body: { email: 'grace@northstar.example', password: 'correct horse' } })
    expect(
      await caller.ask('login', { body: { email: 'grace@northstar.example', password: 'correct horse!' } }),
    ).toMatchObject({ status: 401 })
    await caller.callOrThrow('login', { body: { email: ' Grace@Northstar.example ', password: 'correct horse' } })
  })
})
