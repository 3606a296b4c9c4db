import { expect, it } from 'vitest'
import { isOver, linesOf, textOf } from './budget.ts'
import { firstLoad, type Chunk } from './first-load.ts'

const chunk = (
  fileName: string,
  { of = [], needs = [], opens = [] }: { of?: string[]; needs?: string[]; opens?: string[] },
): Chunk => ({
  fileName,
  isEntry: fileName === 'index.js',
  moduleIds: of.map((path) => `/project/web/${path}`),
  imports: needs,
  dynamicImports: opens,
})

const screen = (path: string) => `app/routes/${path}.tsx?tsr-split=component`

/** A small product: a dashboard, a calendar that opens a dialog, and a dialog that opens a list. */
const product = [
  chunk('index.js', { of: ['app/main.tsx'], needs: ['base.js'], opens: ['shell.js', 'home.js', 'calendar.js'] }),
  chunk('base.js', {}),
  chunk('parts.js', {}),
  chunk('shell.js', { of: ['app/Shell.tsx'], needs: ['base.js', 'parts.js'] }),
  chunk('home.js', { of: [screen('index')], opens: ['landing.js', 'dashboard.js'] }),
  chunk('landing.js', { of: ['features/landing/Landing.tsx'], needs: ['parts.js'], opens: ['form.js'] }),
  chunk('dashboard.js', { of: ['features/dashboard/Dashboard.tsx'], opens: ['form.js'] }),
  chunk('calendar.js', { of: [screen('calendar/index')], opens: ['dialog.js'] }),
  chunk('reset.js', { of: [screen('reset-password')] }),
  chunk('setup.js', { of: [screen('onboarding')] }),
  chunk('dialog.js', { needs: ['base.js'], opens: ['list.js'] }),
  chunk('list.js', { needs: ['dialog.js'] }),
  chunk('form.js', { needs: ['shell.js'] }),
]
const sizes = new Map(product.map(({ fileName }) => [fileName, 10_000]))
const files = (of: ReadonlySet<string>) => [...of].sort()
const kBOf = (name: string, from = sizes) => linesOf(firstLoad(product), from).find((line) => line.name === name)?.kB

it("the landing page counts its own files and their imports, and no other screen's files", () => {
  expect(files(firstLoad(product).landing.files)).toEqual(['base.js', 'home.js', 'index.js', 'landing.js', 'parts.js'])
})
it("a signed-in screen counts the shell's files as well, unless it shows no shell", () => {
  const { signedIn } = firstLoad(product)
  expect(signedIn.map(({ path, files }) => [path, files.has('shell.js')])).toEqual([
    ['/', true],
    ['/calendar', true],
    ['/onboarding', false],
    ['/reset-password', false],
  ])
})
it('a lazy file counts alone, without the files that its screen has already loaded', () => {
  expect(kBOf('dialog.js')).toBe(10)
})
it('a lazy file opened from another lazy file counts without the files loaded before', () => {
  expect(kBOf('list.js')).toBe(10)
})
it('a lazy file opened from several screens counts for the screen that has loaded least of it', () => {
  expect(kBOf('form.js')).toBe(20)
})
it('a screen over its limit is reported', () => {
  const [landing] = linesOf(firstLoad(product), sizes, { landing: 49, signedIn: 190, lazy: 65 })
  expect(landing && isOver(landing)).toBe(true)
  expect(landing && textOf(landing)).toContain('50.0 kB of 49  / (landing page) (5 files)   TOO MUCH')
})
it('a screen at its limit is not reported', () => {
  expect(linesOf(firstLoad(product), sizes, { landing: 50, signedIn: 190, lazy: 65 }).filter(isOver)).toEqual([])
})
it('a missing screen module throws an error', () => {
  expect(() => firstLoad(product.filter(({ fileName }) => fileName !== 'landing.js'))).toThrow(
    'features/landing/Landing.tsx',
  )
})
