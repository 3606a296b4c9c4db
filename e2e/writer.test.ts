/** Writing with AI in a real browser, against a fake model server that the test controls. */
import { expect, test, type Locator, type Page } from '@playwright/test'
import type { ApiClient } from '../api/http/client.ts'
import { MovableClock } from '../api/core/clock.ts'
import { generationsOf } from '../api/testing/generations.ts'
import { brand, owner } from '../api/testing/server.ts'
import { gate } from '../domain/test/gate.ts'
import { post, startTestAi, usualText, type Act, type TestAi } from '../api/features/writer/test/fake-openai.ts'
import { desktop, phone } from './browser.ts'
import { looksRight } from './looks.ts'
import { write } from './screens/posts.ts'
import { becomes, button, openStage, toastIs, type Stage } from './screens/stage.ts'

let ai: TestAi
let stage: Stage
/** Gives up on an answer after a second. In `stage`, an answer may last longer than a look at the screen. */
let impatient: Stage

test.beforeAll(async ({ browser }) => {
  ai = await startTestAi()
  stage = await openStage(browser, { env: { ...ai.env, OPENAI_TIMEOUT_MS: '55000' } })
  impatient = await openStage(browser, { env: { ...ai.env, OPENAI_TIMEOUT_MS: '1000' } })
})
test.afterEach(() => stage.faults.mend())
test.afterAll(async () => {
  await stage.close()
  await impatient.close()
  await ai.close()
})

/** Keeps how long a press of Cancel writing takes until Generate can be pressed again, by the page's own clock. */
const measureCancelling = (page: Page) =>
  page.evaluate(() => {
    const canGenerate = () =>
      [...document.querySelectorAll('button[type=button]:not([aria-disabled])')].some(
        ({ textContent }) => textContent.trim() === 'Generate',
      )
    const begin = () => {
      const from = performance.now()
      const look = () => {
        if (canGenerate()) Object.assign(window, { cancelledAfterMs: performance.now() - from })
        else requestAnimationFrame(look)
      }
      look()
    }
    document.addEventListener('pointerdown', begin, { once: true, capture: true })
  })

const typed = 'What I typed myself. It has two sentences.'
const answers = (...texts: readonly string[]): readonly Act[] =>
  texts.map((text) => ({ does: 'answer', text: post(text) }))

for (const [place, viewport] of [
  ['a desktop', desktop],
  ['a phone', phone],
] as const)
  test.describe(`on ${place}`, () => {
    let on: Stage
    let caller: ApiClient
    let page: Page
    let mine: { readonly clientId: string; readonly accountId: string }
    const content = () => page.getByRole('textbox', { name: /^Content/ })
    const panel = () => page.getByRole('region', { name: 'Generate with AI' })
    const suggestion = () => page.getByTestId('suggestion')
    const isInSight = (what: Locator) =>
      what.evaluate(
        (element) =>
          new Promise<boolean>((resolve) =>
            new IntersectionObserver(([seen]) => resolve((seen?.intersectionRatio ?? 0) > 0.9)).observe(element),
          ),
      )
    const looks = (name: string) => looksRight(page, `writer-${name}-${viewport.width}`)
    const recorded = async () => (await generationsOf(on.server.commands.ports.events, mine.clientId)).length

    const enter = async (entered: Stage) => {
      on = entered
      caller = await owner(on.server)
      mine = await brand(caller, 'twitter')
      page = await on.enter(caller, { viewport })
    }
    test.beforeAll(() => enter(stage))

    const compose = async () => {
      await page.goto(`/clients/${mine.clientId}?tab=posts&compose=true`)
      await content().fill(typed)
      await page.getByTestId('button-generate').click()
      await panel().getByLabel('Topic').fill('Autumn breads')
    }

    const fails = async (acts: readonly Act[], sentence: RegExp) => {
      await compose()
      const before = await recorded()
      ai.next(...acts)
      await button(page, 'Generate').click()
      await panel().getByTestId('form-error').getByText(sentence).waitFor()
      await becomes(() => isInSight(panel().getByTestId('form-error')), true)
      expect(await content().inputValue()).toBe(typed)
      expect(await panel().getByLabel('Topic').inputValue()).toBe('Autumn breads')
      expect(await button(page, 'Use this text').count()).toBe(0)
      expect(await recorded()).toBe(before)
      await becomes(() => button(page, 'Generate').isEnabled(), true)
    }

    test('shows the text while the model writes it; the typed text stays until Use this text [1.7]', async () => {
      await compose()
      await looks('panel')
      const { until, open } = gate()
      ai.next({ does: 'hold', text: post(usualText), first: 6, until })
      await button(page, 'Generate').click()
      await becomes(
        async () =>
          usualText.startsWith(
            (await suggestion()
              .textContent()
              .catch(() => 'none')) || 'none',
          ),
        true,
      )
      expect(await content().inputValue()).toBe(typed)
      expect(await button(page, 'Use this text').count()).toBe(0)
      await page.getByText('Writing…', { exact: true }).waitFor()
      await becomes(() => isInSight(suggestion()), true)
      await looks('streaming')
      open()
      await button(page, 'Use this text').waitFor()
      expect(await suggestion().textContent()).toBe(usualText)
      expect(await content().inputValue()).toBe(typed)
      await becomes(() => isInSight(button(page, 'Use this text')), true)
      await looks('suggested')
      await button(page, 'Use this text').click()
      await becomes(() => content().inputValue(), usualText)
    })

    test('shows progress in words, can be cancelled at once, and keeps the typed text', async () => {
      await compose()
      const before = { recorded: await recorded(), abandoned: ai.abandoned() }
      ai.next({ does: 'wait' })
      await button(page, 'Generate').click()
      await page.getByText('Reading the profile. The first words come in a moment.').waitFor()
      await looks('waiting')
      await measureCancelling(page)
      await button(page, 'Cancel writing').click()
      await becomes(() => page.evaluate(() => typeof Reflect.get(window, 'cancelledAfterMs')), 'number')
      expect(await page.evaluate<number>(() => Reflect.get(window, 'cancelledAfterMs'))).toBeLessThan(1000)
      expect(await content().inputValue()).toBe(typed)
      expect(await panel().getByLabel('Topic').inputValue()).toBe('Autumn breads')
      await becomes(() => ai.abandoned(), before.abandoned + 1)
      expect(await recorded()).toBe(before.recorded)
      await button(page, 'Generate').click()
      await button(page, 'Use this text').waitFor()
    })

    for (const [name, acts, sentence] of [
      ['declines', [{ does: 'refuse' }], /The AI declined to write this/],
      [
        'has too much to do',
        [{ does: 'fail', status: 429, headers: { 'Retry-After': '20' } }],
        /Try again in 20 seconds/,
      ],
      ['has trouble', [{ does: 'fail', status: 500 }], /trouble of its own/],
      ['is cut off', [{ does: 'cut', text: post(usualText), how: 'end' }], /broke off/],
      ['writes too much, twice', answers('Long. '.repeat(90), 'Long. '.repeat(90)), /more than the 280 characters/],
      [
        'invents a link, twice',
        answers('See https://evil.example', 'See https://evil.example'),
        /facts that it was not given: “https:\/\/evil\.example”/,
      ],
    ] satisfies readonly [string, readonly Act[], RegExp][])
      test(`an AI that ${name} shows an error and keeps the typed text [8.17]`, () => fails(acts, sentence))

    test('looks right after a failure', async () => {
      await fails(answers('Long. '.repeat(90), 'Long. '.repeat(90)), /more than the 280 characters/)
      await looks('failed')
    })

    test('offers three texts, of which the chosen one is used', async () => {
      await compose()
      ai.next(...answers('Bread, one.', 'Bread, two.', 'Bread, three.'))
      await button(page, 'Generate 3 options').click()
      await button(page, 'Use this text').waitFor()
      const texts = await suggestion().allTextContents()
      expect(texts.toSorted()).toEqual(['Bread, one.', 'Bread, three.', 'Bread, two.'])
      expect(await page.getByRole('radio', { name: 'Option 1' }).isChecked()).toBe(true)
      await page.getByRole('radio', { name: 'Option 3' }).check()
      await looks('three')
      await button(page, 'Use this text').click()
      await becomes(() => content().inputValue(), texts[2])
    })

    test.describe('in the editor', () => {
      const edit = () => page.getByRole('dialog', { name: 'Edit Post' })
      const regenerate = () => edit().getByTestId('button-regenerate')
      let id: string
      test.beforeAll(async () => {
        id = await write(caller, { ...mine, content: `As it was on ${place}` })
      })
      const openEditor = async () => {
        await page.goto(`/content?client=${mine.clientId}&tab=draft`)
        await page.locator(`[data-post-id="${id}"]`).getByTestId('button-edit').click()
        await edit().waitFor()
        await content().fill(typed)
      }

      test('shows the new text while it is written, fills the field when it is complete, and can be undone [2.86]', async () => {
        await openEditor()
        const { until, open } = gate()
        ai.next({ does: 'hold', text: post(usualText), first: 6, until })
        await regenerate().click()
        await suggestion().waitFor()
        await becomes(() => isInSight(suggestion()), true)
        expect(await content().inputValue()).toBe(typed)
        await looks('regenerating')
        open()
        await becomes(() => content().inputValue(), usualText)
        await toastIs(
          page,
          'default',
          'Content regenerated',
          'New content generated with AI. Review and save to update the post.',
        )
        await looks('regenerated')
        await edit().getByRole('button', { name: 'Restore my text' }).click()
        expect(await content().inputValue()).toBe(typed)
      })

      test('keeps text typed meanwhile, and offers the new text', async () => {
        await openEditor()
        const { until, open } = gate()
        ai.next({ does: 'hold', text: post(usualText), first: 6, until })
        await regenerate().click()
        await suggestion().waitFor()
        await content().fill(`${typed} And a third.`)
        open()
        await edit().getByText('Your text stays, because you went on typing.').waitFor()
        expect(await content().inputValue()).toBe(`${typed} And a third.`)
        expect(await suggestion().textContent()).toBe(usualText)
        await becomes(() => isInSight(button(page, 'Use this text')), true)
        await looks('offered')
        await button(page, 'Use this text').click()
        await becomes(() => content().inputValue(), usualText)
        await suggestion().waitFor({ state: 'detached' })
        await edit().getByRole('button', { name: 'Restore my text' }).click()
        expect(await content().inputValue()).toBe(`${typed} And a third.`)
      })

      test('saves a rewritten text with its provenance, which the history shows', async () => {
        await openEditor()
        ai.next(...answers('Short.'))
        await button(page, 'Shorter').click()
        await becomes(() => content().inputValue(), 'Short.')
        await content().fill('Short!')
        await edit().getByTestId('button-save-post').click()
        await edit().waitFor({ state: 'detached' })
        await page.locator(`[data-post-id="${id}"]`).getByTestId('button-preview').click()
        await page.getByTestId('post-history').getByText('Text made shorter by AI (gpt-test); edited by hand').waitFor()
      })
    })

    test('counts texts and tokens in Settings', async () => {
      const [month] = (await caller.callOrThrow('getUsage')).months
      await page.goto('/settings')
      await page.getByText('Texts are written by gpt-test.').waitFor()
      await becomes(
        () => page.getByTestId('usage-this-month').textContent(),
        `This month: ${month?.texts} texts, ${month?.tokens.toLocaleString('en-US')} tokens`,
      )
    })

    test('an AI that never answers shows an error and keeps the typed text [8.17]', async () => {
      await enter(impatient)
      await fails([{ does: 'wait' }], /took too long/)
    })
  })

test('Settings compares the months, each with bars', async ({ browser }) => {
  const february = await openStage(browser, { env: ai.env, clock: new MovableClock('2026-02-27T10:00:00Z') })
  const caller = await owner(february.server)
  const { clientId } = await brand(caller)
  const ask = (variants: number) =>
    caller.callOrThrow('generateContent', { body: { clientId, platform: 'facebook', topic: 'Bread', variants } })
  const page = await february.enter(caller)
  await page.goto('/settings')
  await page.getByText('This month: 0 texts, 0 tokens').waitFor()
  await looksRight(page, 'settings-ai-none')
  await ask(3)
  await ask(3)
  february.server.clock.advance(3 * 86_400_000)
  await ask(1)
  await page.reload()
  await page.getByText('This month: 1 text, 120 tokens').waitFor()
  await becomes(
    () => page.getByTestId('card-ai-writing').getByRole('row').allTextContents(),
    ['MonthTextsTokens', 'March 20261120', 'February 20266720'],
  )
  await looksRight(page, 'settings-ai-months')
  await february.close()
})
