/** The web while the server is away: the built server is stopped, and started again on the same port and data. */
import { expect, test, type Page } from '@playwright/test'
import { removeFolder, temporaryFolder } from '../domain/test/folder.ts'
import { owner } from '../api/testing/server.ts'
import { freePort } from '../domain/test/free-port.ts'
import { startProcess, type ServerProcess } from './process.ts'

let folder: string
let port: number
let server: ServerProcess
test.beforeEach(async () => {
  folder = await temporaryFolder('away')
  port = await freePort()
  server = startProcess(port, folder)
  await server.ready
})
test.afterEach(async () => {
  await server.stop()
  await removeFolder(folder)
})

/** Opens the dashboard, as a user who is signed in, without the parts of other screens. */
async function open(page: Page, { saveData = true } = {}): Promise<void> {
  const caller = await owner(server)
  const [name = '', value = ''] = caller.cookie.split('=')
  await page.context().addCookies([{ name, value, url: server.url }])
  // The browser saves data: other screens are loaded when they are opened.
  if (saveData)
    await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  await page.goto(server.url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
}
const isSamePage = (page: Page) => page.evaluate(() => 'isSamePage' in window)

test('a screen that cannot be loaded says so, and Try again loads it without a reload [P4.1]', async ({ page }) => {
  await open(page)
  await server.kill()
  await page.getByTestId('nav-calendar').click()
  await page.getByText('This screen could not be shown').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('This screen could not be shown').waitFor()
  server = startProcess(port, folder)
  await server.ready
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Calendar' }).waitFor()
  expect(await isSamePage(page)).toBe(true)
})

test('one banner shows while the server is away, and goes once it is back [P4.2]', async ({ page }) => {
  await open(page)
  const banner = page.getByTestId('connection')
  await expect(banner).toBeEmpty()
  await server.kill()
  await expect(banner).toContainText('No connection to the server', { timeout: 20_000 })
  server = startProcess(port, folder)
  await server.ready
  await expect(banner).toBeEmpty({ timeout: 40_000 })
  expect(await isSamePage(page)).toBe(true)
})

test('the other screens are loaded ahead, and open while the server is away [P4.3]', async ({ page }) => {
  const loaded: string[] = []
  page.on('requestfinished', (request) => loaded.push(new URL(request.url()).pathname))
  await open(page, { saveData: false })
  await expect.poll(() => loaded.some((path) => path.startsWith('/assets/settings-'))).toBe(true)
  await page.waitForLoadState('networkidle')
  await server.kill()
  await page.getByTestId('nav-settings').click()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
})
