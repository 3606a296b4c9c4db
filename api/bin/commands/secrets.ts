/**
 * `npm run secrets -- ./secrets`: makes the secrets of the distributed shape, each once. In containers the service
 * `secrets` also gives each reader its own copy.
 */
import { CommanderError } from 'commander'
import { copyToReaders, makeMissing, orphans, readGiven } from '../../operations/secrets/files.ts'
import { secretReaders } from '../../operations/secrets/values.ts'
import { ConfigError } from '../../runtime/config.ts'
import { expecting, programFor, usageFailure, type CommandLine } from '../shell.ts'

interface Options {
  readonly copies?: string
  readonly given?: boolean
}

/** @returns what was done, as sentences */
async function secretsIn(folder: string, { copies, given = false }: Options): Promise<readonly string[]> {
  if (copies !== undefined && !given) {
    const lost = await orphans(folder, secretReaders, copies)
    if (lost.length > 0)
      throw new ConfigError(
        `${folder} has lost the originals of ${lost.join(', ')}. Restore the folder: new secrets would not fit these.`,
      )
  }
  const { secrets, made } = given ? { secrets: await readGiven(folder), made: [] } : await makeMissing(folder)
  const copied = copies === undefined ? [] : await copyToReaders(secrets, secretReaders, copies, given)
  return [
    made.length > 0 ? `Made in ${folder}: ${made.join(', ')}` : `${folder} has all secrets. Nothing was changed there.`,
    ...(copied.length > 0 ? [`Copied to their readers: ${copied.join(', ')}`] : []),
  ]
}

const expected = expecting([ConfigError], 1)

/** A file that can't be read or written is named by the error of the operating system. */
const fileFailure = (error: unknown) =>
  error instanceof Error && 'path' in error ? { message: error.message, exitCode: 1 } : null

export const commandLine: CommandLine = {
  async main(shell) {
    const program = programFor('npm run secrets --', shell)
      .description('Makes the secrets of the distributed shape that a folder lacks. Existing ones stay as they are.')
      .argument('<folder>', 'the folder of the secrets, one file each')
      .option('--copies <folder>', 'also copy each secret to the folders of its readers in this folder')
      .option('--given', 'make none; replace existing copies')
      .action(async (folder: string, options: Options) => {
        for (const sentence of await secretsIn(folder, options)) await shell.out.write(`${sentence}\n`)
      })
    await program.parseAsync(shell.args, { from: 'user' })
  },
  failureOf: (error) =>
    error instanceof CommanderError ? usageFailure(error, 2) : (expected(error) ?? fileFailure(error)),
}
