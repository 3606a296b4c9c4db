/**
 * A reconnect and a disconnect of one account, interleaved at each step that either takes.
 *
 * @module-tag long
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type Account, type World } from '../processes/test/helpers.ts'
import { allow, redirectUri } from '../sandbox/test/helpers.ts'
import { createConnect } from './connect.ts'
import { disconnectAccount } from './disconnect.ts'
import type { Vault } from './vault.ts'

let world: World
let account: Account

beforeEach(async () => {
  world = await openWorld()
  account = await world.addAccount(await world.addClient(), 'twitter')
})
afterEach(() => world.remove())

type Step = 'before' | 'after'
type Hook = (step: Step, name: string) => Promise<void>

/** The world's vault and commands, with a hook around each call. */
function hooked(hook: Hook) {
  const wrap = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(_, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return async (...given: unknown[]) => {
          await hook('before', String(name))
          const result: unknown = await Reflect.apply(value, target, given)
          await hook('after', String(name))
          return result
        }
      },
    })
  return { vault: wrap<Vault>(world.vault), commands: wrap(world.commands) }
}

const disconnect = (hook: Hook) => disconnectAccount({ ...world, ...hooked(hook) }, account, world.by)

async function reconnect(hook: Hook) {
  const { vault, commands } = hooked(hook)
  const { accountId, clientId, platform } = account
  const { agencyId } = world
  const connect = await createConnect({ ...world, vault, commands })
  const session = { userId: 'owner', sessionId: 'session' }
  const begun = await connect.begin({ target: { accountId }, clientId, agencyId, redirectUri, ...session })
  if (begun.kind !== 'redirect') throw new Error(begun.sentence)
  const state = new URL(begun.url).searchParams.get('state') ?? ''
  return connect.finish({ platform, state, code: await allow(begun.url), sessionId: session.sessionId })
}

const none: Hook = async () => {}
/** Runs `work` once, at the nth call of the hook. */
function onceAt(
  nth: number,
  work: () => Promise<unknown>,
): { readonly hook: Hook; readonly wasReached: () => boolean } {
  let calls = 0
  return {
    hook: async () => {
      calls += 1
      if (calls === nth) await work()
    },
    wasReached: () => calls >= nth,
  }
}

async function expectAgreement() {
  const { state } = await world.commands.loadClient(account.clientId)
  const isConnected = state.accounts[account.accountId]?.isConnected
  expect((await world.vault.get(account.accountId)) !== null).toBe(isConnected)
}

const maxSteps = 60

describe('disconnecting an account', () => {
  it('keeps the keys of a reconnect that happens at any step of it', async () => {
    for (let nth = 1; ; nth++) {
      if (nth > maxSteps) throw new Error('The disconnect takes too many steps')
      await world.connectAccount(account)
      const { hook, wasReached } = onceAt(nth, () => reconnect(none))
      await disconnect(hook)
      await expectAgreement()
      if (!wasReached()) break
    }
  })

  it('deletes the keys when it happens at any step of a reconnect that it follows in the log', async () => {
    for (let nth = 1; ; nth++) {
      if (nth > maxSteps) throw new Error('The reconnect takes too many steps')
      await world.connectAccount(account)
      const { hook, wasReached } = onceAt(nth, () => disconnect(none))
      await reconnect(hook)
      await expectAgreement()
      if (!wasReached()) break
    }
  })

  it('ends a reconnect whose keys it read and deletes', async () => {
    const [stored, read] = [gate(), gate()]
    const connecting = reconnect(async (step, name) => {
      if (step !== 'after' || name !== 'put') return
      stored.open()
      await read.opened
    })
    await stored.opened
    await disconnect(async (step, name) => {
      if (step === 'before' && name === 'remove') read.open()
    })
    await connecting
    await expectAgreement()
  })
})

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}
