/**
 * `npm run audit -- …`: on shared stores; else through the running server that owns the data or, without one, on its
 * files.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { viewsOf } from '../../../projections/registry.ts'
import { streamsProjection } from '../../../projections/streams/projection.ts'
import { throughServer } from '../../operations/admin/client.ts'
import { systemClock } from '../../core/clock.ts'
import { ConfigError, type Config } from '../../runtime/config.ts'
import { operatorSettings } from '../../runtime/operator-settings.ts'
import { openServers } from '../../composition/distributed.ts'
import { openFiles } from '../../composition/embedded.ts'
import { readSecrets, renewSigningKey } from '../../runtime/secrets.ts'
import type { Stores } from '../../runtime/stores.ts'
import { Checkpoints } from '../../features/audit/checkpoints.ts'
import { exitCodes, type AuditStores } from '../../operations/audit/commands.ts'
import { runAudit } from '../../operations/audit/program.ts'
import { Signer } from '../../features/audit/signing.ts'
import { expecting, type CommandLine, type Shell } from '../shell.ts'

/** @throws StoreUnavailable also without a log at DATA_DIR: a mistyped path must not create an empty store */
async function openHere(dataDir: string): Promise<Stores> {
  if (await stat(join(dataDir, 'events.db')).catch(() => null)) return openFiles(dataDir)
  throw new StoreUnavailable(`There is no event log in ${dataDir}. Set DATA_DIR to the folder of your data.`)
}

async function onData(
  config: Config,
  run: (stores: AuditStores) => Promise<number>,
  args: readonly string[],
  { out, errors, signal }: Shell,
): Promise<number> {
  const isShared = config.EVENTSTORE_URL !== undefined
  const done = isShared ? null : await throughServer(config.DATA_DIR, 'audit', args, { screen: out, errors, signal })
  if (done !== null) return done
  const { events, store, records, close } = await (isShared ? openServers(config) : openHere(config.DATA_DIR))
  try {
    const signer = await Signer.open((await readSecrets(config)).signing)
    const checkpoints = await Checkpoints.open(records, signer)
    const collection = await store.live(streamsProjection.name)
    const views = viewsOf(store, { of: () => collection ?? missing() })
    return await run({ events, records, views, signer, checkpoints, clock: systemClock })
  } finally {
    await close()
  }
}

const missing = (): never => {
  throw new StoreUnavailable('The list of streams has not been built yet. Start the server once, then try again.')
}

async function rotate(config: Config): Promise<void> {
  // Processes with shared stores have the key in their environment; `renewSigningKey` then throws an error that says
  // so.
  const held = config.AUDIT_SIGNING_KEY === undefined ? await openHere(config.DATA_DIR) : null
  try {
    await renewSigningKey(config)
  } finally {
    await held?.close()
  }
}

export const commandLine: CommandLine = {
  async main(shell) {
    const config = operatorSettings(shell.env, ['AUDIT_SIGNING_KEY'])
    return runAudit(shell.args, {
      config,
      out: async (text) => void (await shell.out.write(text)),
      warn: async (text) => void (await shell.errors.write(text)),
      withStores: (run, args) => onData(config, run, args, shell),
      rotate: () => rotate(config),
    })
  },
  failureOf: expecting([ConfigError], exitCodes.unavailable),
  onOutputClosed: 'exit',
}
