/** Runs a command line in this process, as `npm run` would in its own. */
import { exitCodeOf, type CommandLine } from '../shell.ts'

export interface Ran {
  readonly code: number
  /** What it wrote to the output. */
  readonly text: string
  readonly errors: string
  /** What it wrote to both, in order. */
  readonly all: string
}

/** @param env all settings: nothing is taken from the environment of the tests */
export async function run(
  { commandLine }: { readonly commandLine: CommandLine },
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { signal = new AbortController().signal } = {},
): Promise<Ran> {
  const parts: { readonly to: 'out' | 'errors'; readonly text: string }[] = []
  const written = (...to: readonly string[]) =>
    parts.flatMap((part) => (to.includes(part.to) ? [part.text] : [])).join('')
  const code = await exitCodeOf(commandLine, {
    args,
    env,
    out: { write: (text) => parts.push({ to: 'out', text }) },
    errors: { write: (text) => parts.push({ to: 'errors', text }) },
    signal,
    interrupt: () => {},
  })
  return { code, text: written('out'), errors: written('errors'), all: written('out', 'errors') }
}
