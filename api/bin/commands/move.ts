/** `npm run move`: moves a stopped embedded installation to EventStoreDB and MongoDB. */
import { join } from 'node:path'
import { CommanderError } from 'commander'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { connectMongo } from '../../../projections/read-store/mongodb-connection.ts'
import { ConfigError } from '../../runtime/config.ts'
import { openServers } from '../../composition/distributed.ts'
import { openEmbeddedOrigin } from '../../composition/embedded-origin.ts'
import { operatorSettings } from '../../runtime/operator-settings.ts'
import { move, type Moved } from '../../operations/move/move.ts'
import { MoveRefused } from '../../operations/move/refused.ts'
import { contentsOf } from '../../operations/move/target.ts'
import { expecting, programFor, usageFailure, type CommandLine, type Shell } from '../shell.ts'

/** Nothing is signed, encrypted or served here, so the keys shared by several processes needn't be set. */
function settings(env: NodeJS.ProcessEnv) {
  const { EVENTSTORE_URL, MONGODB_URL, DATA_DIR } = operatorSettings(env)
  if (EVENTSTORE_URL === undefined || MONGODB_URL === undefined)
    throw new ConfigError('Set EVENTSTORE_URL and MONGODB_URL to the stores to move to.')
  return { EVENTSTORE_URL, MONGODB_URL, DATA_DIR }
}

/** @returns the exit code: 1 when an image could not be moved, so that a script that starts processes next stops */
async function run({ env, out, errors, signal }: Shell): Promise<number> {
  const began = performance.now()
  const config = settings(env)
  const from = await openEmbeddedOrigin(config.DATA_DIR)
  try {
    const mongo = connectMongo(config.MONGODB_URL)
    const to = await openServers(config)
    try {
      const moved = await move(from, { ...to, contents: () => contentsOf(mongo) }, { screen: out, signal })
      for (const line of outcome(moved, config.DATA_DIR, (performance.now() - began) / 1000)) out.write(`${line}\n`)
      const { damaged } = moved.images
      if (damaged.length === 0) return 0
      for (const hash of damaged)
        errors.write(`The image ${hash} is damaged in ${join(config.DATA_DIR, 'media')} and was not moved.\n`)
      errors.write(
        `Everything else was moved. Restore ${damaged.length === 1 ? 'it' : 'them'} from a backup and run this command again. Otherwise posts with ${damaged.length === 1 ? 'this image' : 'these images'} can't be published.\n`,
      )
      return 1
    } finally {
      await mongo.close()
      await to.close()
    }
  } finally {
    await from.close()
  }
}

const count = (number: number, one: string) => `${number.toLocaleString('en-US')} ${one}${number === 1 ? '' : 's'}`

function outcome({ streams, events, records, images }: Moved, dataDir: string, seconds: number): string[] {
  return [
    `Moved: ${count(streams, 'stream')}, ${count(events.seen, 'event')}, ${count(records.seen, 'record')} and ${count(images.seen - images.damaged.length, 'image')} in ${seconds.toFixed(1)} s.`,
    `Copied in this run: ${count(events.copied, 'event')}, ${count(records.copied, 'record')} and ${count(images.copied, 'image')}.`,
    `Give the new processes the SESSION_SECRET, the ENCRYPTION_KEY and the AUDIT_SIGNING_KEY of this installation. Otherwise all users are signed out, all accounts are disconnected and all auditors' links stop working. The keys are in ${join(dataDir, 'secrets')}, unless you set your own.`,
    'The read models were not copied: the projectors build them from the log when they start.',
  ]
}

const expected = expecting([ConfigError, StoreUnavailable, MoveRefused], 1)

export const commandLine: CommandLine = {
  async main(shell) {
    let exitCode = 0
    await programFor('npm run move', shell)
      .description('Copies an embedded installation to EventStoreDB and MongoDB, while it is stopped.')
      .action(async () => {
        exitCode = await run(shell)
      })
      .parseAsync(shell.args, { from: 'user' })
    return exitCode
  },
  failureOf(error, isInterrupted) {
    if (isInterrupted) return { message: 'Interrupted. Run the command again to continue.', exitCode: 1 }
    return error instanceof CommanderError ? usageFailure(error, 1) : expected(error)
  },
}
