/** A fake Facebook that the product uses as the real network, with faults on demand. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import express from 'express'
import type { z } from 'zod'
import { removeFolder, temporaryFolder } from '../domain/test/folder.ts'
import { MovableClock } from '../api/core/clock.ts'
import type { faultSchema } from '../api/sandbox/faults.ts'
import { createSandbox } from '../api/sandbox/server.ts'
import { remoteIdOf } from '../api/sandbox/store/profiles.ts'
import type { TestServer } from '../api/testing/server.ts'
import { startProduct } from './browser.ts'
import { freePort } from '../domain/test/free-port.ts'

type Fault = Omit<z.input<typeof faultSchema>, 'platform' | 'remoteId'>

export interface LiveFacebook {
  readonly product: TestServer
  /** Plans a fault for a Page's next requests. */
  plan(page: string, fault: Fault): Promise<void>
  /** Removes all faults. */
  mend(): Promise<void>
  /** Revokes the access to a Page, as its owner can on Facebook. */
  revoke(page: string): Promise<void>
  close(): Promise<void>
}

/** The product with credentials for the fake Facebook; the other networks are its own sandbox. */
export async function startWithFacebook(): Promise<LiveFacebook> {
  const clock = new MovableClock()
  const folder = await temporaryFolder('facebook')
  const port = await freePort()
  const app = express()
  app.set('query parser', 'simple')
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sandbox`
  const returnOrigins = [`http://localhost:${port}`]
  const sandbox = createSandbox({ file: join(folder, 'sandbox.db'), clock, publicUrl, returnOrigins, faults: true })
  app.use('/sandbox', sandbox.router)

  const address = `${publicUrl}/facebook`
  const env = {
    FACEBOOK_APP_ID: 'app',
    FACEBOOK_APP_SECRET: 'secret',
    FACEBOOK_DIALOG_URL: address,
    FACEBOOK_GRAPH_URL: address,
  }
  const product = await startProduct({ env: { PORT: String(port), ...env }, clock })

  const tell = async (method: string, path: string, told?: object) => {
    const headers = { 'content-type': 'application/json', connection: 'close' }
    const { status } = await fetch(`${publicUrl}/admin/${path}`, {
      method,
      headers,
      ...(told && { body: JSON.stringify(told) }),
    })
    if (status !== 204) throw new Error(`The network answered ${status} to ${path}`)
  }
  const profile = (page: string) => ({ platform: 'facebook', remoteId: remoteIdOf('facebook', page) })
  return {
    product,
    plan: (page, fault) => tell('POST', 'faults', { ...fault, ...profile(page) }),
    mend: () => tell('DELETE', 'faults'),
    revoke: (page) => tell('POST', 'revoke', profile(page)),
    async close() {
      await product.remove()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      sandbox.close()
      await removeFolder(folder)
    },
  }
}
