/** How the tests and Lighthouse start the system's Chromium. */
import { existsSync } from 'node:fs'

/** Debian's package `chromium-headless-shell`: the same engine without the windows, which cost processor time. */
const shell = '/usr/bin/chromium-headless-shell'

export const launchOptions = {
  executablePath: existsSync(shell) ? shell : '/usr/bin/chromium',
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}
