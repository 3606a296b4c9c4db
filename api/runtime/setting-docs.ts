/**
 * `.env.example` and `docs/configuration.md`, made from the schema's defaults and the notes. `npm run settings`
 * writes them.
 */
import { readConfig, type Config } from './config.ts'
import { settingGroups, type SettingNote } from './setting-notes.ts'

const defaults: Readonly<Partial<Record<string, Config[keyof Config]>>> = readConfig({})

const defaultOf = ({ name, default: shown }: SettingNote): string => shown ?? String(defaults[name] ?? '')
/** Of the schema: a value that may be written into the file as it is. */
const hasValue = ({ name, default: shown }: SettingNote): boolean => shown === undefined && defaults[name] !== undefined

const plain = (markdown: string) => markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '')

/** Lines of at most 100 characters, each behind `# `. */
function commented(text: string): string[] {
  const lines: string[] = []
  for (const word of plain(text).split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < 100) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`# ${word}`)
  }
  return lines
}

/** The whole file: every setting, commented out, with its default. */
export const environmentExample = (): string =>
  [
    ...commented(
      'Settings of SocialAI. Remove the # in front of those that you change. At its start the server names each wrong value and exits. Each setting may also be a file: NAME_FILE=/run/secrets/name instead of NAME.',
    ),
    ...settingGroups.flatMap(({ title, text, settings }) => [
      '',
      `# --- ${title}`,
      ...(text === '' ? [] : commented(text)),
      ...settings.flatMap((setting) => [
        ...commented(`${setting.meaning}. ${hasValue(setting) ? '' : `Default: ${defaultOf(setting)}.`}`.trim()),
        `#${setting.name}=${hasValue(setting) ? defaultOf(setting) : ''}`,
      ]),
    ]),
    '',
  ].join('\n')

/** The whole file. */
export const configurationPage = (): string =>
  [
    '# Configuration',
    '',
    'Settings are environment variables. The server checks all of them at the start: it names each wrong value and exits. Each setting may also be a file: `ENCRYPTION_KEY_FILE=/run/secrets/encryption-key` instead of `ENCRYPTION_KEY`. [.env.example](../.env.example) lists them for copying.',
    '',
    'The code generates this page: `npm run settings`.',
    ...settingGroups.flatMap(({ title, text, settings }) => [
      '',
      `## ${title}`,
      '',
      ...(text === '' ? [] : [text, '']),
      '| name | default | meaning |',
      '|---|---|---|',
      ...settings.map((setting) => {
        const shown = defaultOf(setting)
        const value = /^(none|unset|made|\d+ h)/.test(shown) ? shown : `\`${shown}\``
        return `| \`${setting.name}\` | ${value} | ${setting.meaning.replaceAll('|', '\\|')} |`
      }),
    ]),
    '',
  ].join('\n')
