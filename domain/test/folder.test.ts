import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { compiled } from './compiled.ts'
import { removeFolder, temporaryFolder } from './folder.ts'

describe('A temporary folder', () => {
  it('is empty, lies where it was asked for, and is removed with its content', async () => {
    const outer = await temporaryFolder('outer')
    const inner = await temporaryFolder('inner', outer)
    expect({ within: dirname(inner), content: readdirSync(inner) }).toEqual({ within: outer, content: [] })
    await writeFile(join(inner, 'file'), 'content')
    await removeFolder(outer)
    expect([existsSync(inner), existsSync(outer)]).toEqual([false, false])
    await removeFolder(outer)
  })

  it('that a process leaves behind is removed when it exits', { tags: 'long' }, () => {
    const module = pathToFileURL(compiled('domain/test/folder.ts')).href
    const program = `import { temporaryFolder, removeFolder } from '${module}'
      await removeFolder(await temporaryFolder('removed'))
      console.log(await temporaryFolder('left'))
      process.exit(1)`
    let folder = ''
    try {
      execFileSync(process.execPath, ['--input-type=module', '-e', program], { stdio: 'pipe' })
    } catch (error) {
      folder = String((error as { readonly stdout: unknown }).stdout).trim()
    }
    expect(folder).toMatch(/left-/)
    expect(existsSync(folder)).toBe(false)
  })
})
