/** `--version`, for every program. */
import { productVersion } from '../runtime/version.ts'

/** Prints the product's version and ends the program, if that is what its arguments ask for. */
export async function answerVersion(): Promise<void> {
  if (!process.argv.includes('--version', 2)) return
  console.log(await productVersion())
  process.exit(0)
}
