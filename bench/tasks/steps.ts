/** The tasks, each as a person would carry it out on the screens of a build. */
import { resolve } from 'node:path'
import { isFocused, type Hand } from './hand.ts'
import { movedText, rareWord, type Seeded } from './seed.ts'

export interface Task {
  readonly name: string
  /** Null: it begins signed out, on an empty server. */
  readonly begin: ((hand: Hand, seeded: Seeded) => Promise<void>) | null
  /** @param isCompared the earlier build, whose ways differ */
  readonly run: (hand: Hand, isCompared: boolean) => Promise<void>
}

const image = resolve('web/public/demo/coffee.jpg')
const signUp = { email: () => `new-${Date.now()}@northstar.example`, password: 'harbour lights 42' }

async function signUpToFirstPost(hand: Hand, isCompared: boolean): Promise<void> {
  const { page } = hand
  const named = (name: string) => page.getByRole('button', { name, exact: true })
  await hand.fill(page.getByLabel('Email'), signUp.email())
  await hand.fill(page.getByLabel('Password'), signUp.password)
  await hand.click(named('Create Account'))
  await hand.fill(page.getByLabel('Agency Name'), 'North Star')
  await hand.click(named('Create Agency'))
  await hand.click(page.getByRole('link', { name: 'Add Your First Client' }).first())
  const dialog = page.getByRole('dialog')
  await hand.fill(dialog.getByLabel('Name'), 'Blue Cup')
  await hand.click(dialog.getByRole('button', { name: /Create Client|Add Client/ }))
  const manage = page.getByRole('link', { name: /^Manage/ })
  const connectLink = page.getByRole('link', { name: isCompared ? 'Connect' : 'Connect Facebook', exact: true })
  await manage.or(connectLink).first().waitFor()
  if (await manage.isVisible()) {
    await hand.click(manage)
    await hand.click(page.getByRole('tab', { name: 'Social Accounts' }))
  }
  if (isCompared) {
    await hand.click(page.getByTestId('button-add-account').first())
    await hand.click(page.getByTestId('select-platform'))
    await hand.click(page.getByRole('option', { name: 'Facebook' }))
    await hand.fill(page.getByLabel('Account Name'), 'Blue Cup')
    await hand.click(dialog.getByRole('button', { name: 'Add Account' }))
  }
  await hand.click(connectLink)
  await hand.click(named('Allow'))
  await page.getByTestId('account-card').waitFor()
  await hand.click(page.getByRole('tab', { name: 'Posts' }))
  await hand.click(page.getByTestId('button-new-post').first())
  await hand.fill(page.getByRole('textbox', { name: /^Content/ }), 'Our new roast is here')
  await hand.click(dialog.getByRole('button', { name: 'Schedule', exact: true }))
  await page.locator('[data-testid=post-card][data-status=scheduled]').waitFor()
}

const networks = ['facebook', 'instagram', 'twitter', 'linkedin'] as const

async function oneTextToFourNetworks(hand: Hand, isCompared: boolean): Promise<void> {
  const { page } = hand
  const text = 'Open until nine on Friday'
  const rounds = isCompared ? networks.map((network) => [network]) : [networks]
  for (const [first = 'facebook', ...others] of rounds) {
    await hand.click(page.getByTestId('button-new-post').first())
    const account = page.getByTestId('select-account')
    await account.waitFor()
    if (!(await account.innerText()).includes(first)) {
      await hand.click(account)
      await hand.click(page.getByRole('option', { name: new RegExp(`Blue Cup ${first}`) }))
    }
    await hand.fill(page.getByRole('textbox', { name: /^Content/ }), text)
    for (const other of others) {
      const box = page.getByTestId('other-accounts').getByText(`Blue Cup ${other}`)
      await hand.click(box)
    }
    if ([first, ...others].includes('instagram')) {
      await hand.chooseFile(page.getByTestId('button-upload-image'), image)
      await page.getByTestId('image-facts').locator('img').waitFor()
    }
    await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Submit for Review' }))
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  const written = page.getByTestId('post-card').filter({ hasText: text })
  await written.nth(networks.length - 1).waitFor()
}

async function reviewSixPosts(hand: Hand, isCompared: boolean): Promise<void> {
  const { page } = hand
  await hand.click(page.getByTestId('nav-content'))
  const scopes = isCompared ? ['Blue Cup', 'Fern & Stone', 'Lumen Books', 'Trail North'] : ['All clients']
  for (const [index, scope] of scopes.entries()) {
    await hand.click(page.getByTestId('select-client'))
    await hand.click(page.getByRole('option', { name: scope }))
    if (index === 0) await hand.click(page.getByRole('tab', { name: /^Pending/ }))
    const cards = page.getByTestId('post-card').filter({ hasText: /Post \d of this week/ })
    await cards.first().waitFor()
    for (let left = await cards.count(); left > 0; left--) {
      const text = /Post \d of this week/.exec(await cards.first().innerText())?.[0] ?? ''
      if (isCompared) {
        await hand.click(cards.first().getByTestId('button-preview'))
        await hand.click(page.getByTestId('button-approve'))
      } else await hand.click(cards.first().getByTestId('button-approve-card'))
      await cards.filter({ hasText: text }).waitFor({ state: 'detached' })
    }
  }
}

async function findByWord(hand: Hand, isCompared: boolean): Promise<void> {
  const { page } = hand
  const found = page.getByText(new RegExp(rareWord)).first()
  if (isCompared) {
    await hand.click(page.getByTestId('nav-settings'))
    await hand.click(page.getByTestId('card-audit').getByRole('link'))
    await hand.fill(page.getByLabel('Text', { exact: true }), rareWord)
    await hand.click(page.getByTestId('audit-post').filter({ hasText: rareWord }))
    await page.getByRole('dialog').getByText(new RegExp(rareWord)).first().waitFor()
    return
  }
  await hand.press('Control+k')
  await page.getByTestId('palette-input').waitFor()
  await hand.type(rareWord)
  await page.getByTestId('palette-post').filter({ hasText: rareWord }).and(page.locator('[data-focused]')).waitFor()
  await hand.press('Enter')
  await page.getByRole('dialog', { name: 'Post Preview' }).waitFor()
  await found.waitFor()
}

async function rescheduleByKeys(hand: Hand, isCompared: boolean): Promise<void> {
  const { page } = hand
  const tile = page.getByTestId('calendar-post').filter({ hasText: movedText })
  await tile.waitFor()
  const before = await tile.getAttribute('aria-label')
  if (isCompared) {
    // From the client's selector, which its own key reaches.
    await hand.press('/')
    await hand.pressUntil('Tab', isFocused(tile))
  } else await hand.pressUntil('ArrowRight', isFocused(tile))
  await hand.press('Enter')
  await hand.pressUntil('Shift+Tab', isFocused(page.getByTestId('button-move-post')))
  await hand.press('Enter')
  const field = page.getByLabel('Date and time')
  await field.waitFor()
  await hand.pressUntil('Tab', isFocused(field))
  // The first part of the field is the month; the hour is the fourth.
  for (let part = 0; part < 3; part++) await hand.press('ArrowRight')
  await hand.press('ArrowUp')
  await hand.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.waitForFunction(
    ([text, label]) =>
      [...document.querySelectorAll('[data-testid=calendar-post]')].some(
        (each) => each.textContent?.includes(text ?? '') && each.getAttribute('aria-label') !== label,
      ),
    [movedText, before ?? ''],
  )
}

const goTo =
  (path: (seeded: Seeded) => string, ready: string) =>
  async ({ page }: Hand, seeded: Seeded): Promise<void> => {
    await page.goto(path(seeded))
    await page.getByTestId(ready).first().waitFor()
  }

export const allTasks: readonly Task[] = [
  { name: 'Sign-up to first scheduled post', begin: null, run: signUpToFirstPost },
  {
    name: 'One text to four networks',
    begin: goTo(({ fullClientId }) => `/clients/${fullClientId}?tab=posts`, 'button-new-post'),
    run: oneTextToFourNetworks,
  },
  { name: 'Review of six posts of four clients', begin: goTo(() => '/', 'nav-content'), run: reviewSixPosts },
  { name: 'Find a post by a word', begin: goTo(() => '/', 'nav-settings'), run: findByWord },
  { name: 'Reschedule by keys', begin: goTo(() => '/calendar', 'calendar-grid'), run: rescheduleByKeys },
]
