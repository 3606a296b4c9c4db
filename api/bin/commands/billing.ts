/** `npm run billing -- reconcile`: reconciles the log with Stripe, on a stopped server. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CommanderError } from 'commander'
import { openEmbeddedEventStore } from '../../../domain/event-store/embedded.ts'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { systemClock } from '../../core/clock.ts'
import { ConfigError, readConfig } from '../../runtime/config.ts'
import { createCommands } from '../../features/commands.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import { stripeSettings } from '../../features/billing/config.ts'
import { Customers } from '../../features/billing/customers.ts'
import { PaymentsError } from '../../features/billing/port.ts'
import { reconcile } from '../../features/billing/reconcile.ts'
import { stripePayments } from '../../features/billing/stripe.ts'
import { expecting, programFor, usageFailure, type CommandLine, type Shell } from '../shell.ts'

async function run({ env, out }: Shell): Promise<void> {
  const config = readConfig(env)
  const settings = stripeSettings(config)
  if (!settings)
    throw new ConfigError(
      'STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET and STRIPE_PRICE_ID are not set, so there is nothing to compare with.',
    )
  const file = join(config.DATA_DIR, 'events.db')
  if (!(await stat(file).catch(() => null)))
    throw new ConfigError(`There is no event log in ${config.DATA_DIR}. Set DATA_DIR to the folder of your data.`)
  const events = await openEmbeddedEventStore(file)
  try {
    const records = await openEmbeddedRecords(join(config.DATA_DIR, 'records.db'))
    try {
      const commands = createCommands({
        events,
        clock: systemClock,
        freeSlot: async (_agency, _client, _account, now) => now,
      })
      const customers = await Customers.open(records)
      const { seen, differences } = await reconcile({ commands, customers, payments: stripePayments(settings) })
      for (const difference of differences) out.write(`${difference}\n`)
      out.write(
        `${seen} ${seen === 1 ? 'subscription' : 'subscriptions'} compared, ${differences.length} ${differences.length === 1 ? 'difference' : 'differences'}.\n`,
      )
    } finally {
      await records.close()
    }
  } finally {
    await events.close()
  }
}

const expected = expecting([ConfigError, StoreUnavailable, PaymentsError], 1)

export const commandLine: CommandLine = {
  async main(shell) {
    const program = programFor('npm run billing --', shell).description(
      'Compares subscriptions with the payment provider.',
    )
    program
      .command('reconcile')
      .description('compare every subscription with the log, and append corrections to the log')
      .action(() => run(shell))
    await program.parseAsync(shell.args, { from: 'user' })
  },
  failureOf: (error) => (error instanceof CommanderError ? usageFailure(error, 1) : expected(error)),
}
