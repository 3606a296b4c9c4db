/** Operator commands that the running server executes, because it owns its files. */
import { join } from 'node:path'
import { StoreUnavailable } from '../../domain/event-store/port.ts'
import type { Projector } from '../../projections/core/projector.ts'
import { runProjections } from '../../projections/program.ts'
import type { Core } from './assemble.ts'
import { openMail } from '../features/mail/mail.ts'
import { runAudit } from '../operations/audit/program.ts'
import { openBackups, type Backups } from '../operations/backup/backups.ts'
import { runBackup } from '../operations/backup/program.ts'
import { runMail } from '../operations/mail/program.ts'
import { runUsers } from '../operations/users/program.ts'
import type { Program } from '../operations/admin/server.ts'

export const adminPrograms = (
  { stores, readModels: { views }, config, listening, signer, checkpoints, clock, securityLog, letters }: Core,
  projector: Projector,
  backups: Backups,
): Readonly<Record<string, Program>> => ({
  audit: (args, { screen, errors, signal }) => {
    const out = async (text: string) => {
      signal.throwIfAborted()
      screen.write(text)
      await screen.taken()
    }
    const rotate = async () => {
      throw new StoreUnavailable(
        'Stop the server first: a running server keeps signing with the key that it started with.',
      )
    }
    return runAudit(args, {
      config,
      out,
      warn: (text) => void errors.write(text),
      withStores: (run) =>
        run({
          ...stores,
          views,
          signer,
          checkpoints,
          clock,
          onErased: (userId) => securityLog.done('erase-account', 'operator', { userId }),
        }),
      rotate,
    })
  },
  backup: (args, { screen, errors, signal }) =>
    runBackup(args, {
      open: (to) => (to === undefined ? backups : openBackups({ ...config, BACKUP_DIR: to }, clock)),
      config,
      screen,
      errors,
      signal,
    }),
  users: (args, { screen, errors }) =>
    runUsers(args, {
      out: (text) => void screen.write(text),
      warn: (text) => void errors.write(text),
      withRecords: (run) =>
        run({
          records: stores.records,
          clock,
          securityLog,
          publicUrl: listening.publicUrl,
          openMail: () => openMail(config, join(config.DATA_DIR, 'outbox')),
        }),
    }),
  mail: (args, { screen, errors, signal }) =>
    runMail(args, {
      errors,
      async out(text) {
        signal.throwIfAborted()
        screen.write(text)
        await screen.taken()
      },
      withLetters: (run) => run(letters),
    }),
  projections: (args, { screen, errors, signal }) =>
    runProjections(args, {
      screen,
      errors,
      signal,
      // The stores belong to the server and stay open.
      open: async () => ({ ...stores, close: async () => undefined }),
      rebuild: ({ name }, _events, _store, passing) => projector.runner(name).rebuild(passing),
    }),
})
