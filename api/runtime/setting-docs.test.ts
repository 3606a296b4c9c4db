import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readConfig, settingNames } from './config.ts'
import { configurationPage, environmentExample } from './setting-docs.ts'
import { settingGroups } from './setting-notes.ts'

describe('The notes on settings', () => {
  it('name each setting of the schema once, and no other', () => {
    const noted = settingGroups.flatMap(({ settings }) => settings.map(({ name }) => name))
    expect(noted.toSorted()).toEqual(settingNames.toSorted())
  })
  it('are in .env.example and docs/configuration.md as npm run settings writes them', () => {
    expect(readFileSync('.env.example', 'utf8')).toBe(environmentExample())
    expect(readFileSync('docs/configuration.md', 'utf8')).toBe(configurationPage())
  })
  it('of .env.example give the defaults when each line is uncommented', () => {
    const lines = environmentExample().match(/^#[A-Z_]+=.*$/gm) ?? []
    const env = Object.fromEntries(lines.map((line) => line.slice(1).split(/=(.*)/s).slice(0, 2)))
    expect(readConfig(env)).toEqual(readConfig({}))
  })
})
