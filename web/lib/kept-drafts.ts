/**
 * What was typed and not saved, kept on this device until it is saved, discarded or the user signs out. Each text has
 * an item of its own, so that a keystroke writes no other.
 */

const prefix = 'draft:'
const maxAgeMs = 7 * 86_400_000
const maxDrafts = 20
/** The longest text that a network takes has 63,206 characters. */
const maxCharacters = 200_000

export interface KeptDraft {
  /** Text fields by name. */
  readonly fields: Readonly<Record<string, string>>
  /** The post's revision that was edited; null for a new post. */
  readonly revision: number | null
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Whose text it is, and of what. Ids only. */
export interface DraftKey {
  readonly user: string
  readonly agency: string
  readonly client: string
  /** Null: a new post. */
  readonly post: string | null
}

const nameOf = ({ user, agency, client, post }: DraftKey) => `${prefix}${user}:${agency}:${client}:${post ?? 'new'}`

/** @returns null when there is none, or it is too old */
export function readDraft(key: DraftKey, now = Date.now()): KeptDraft | null {
  try {
    const draft = parsed(localStorage.getItem(nameOf(key)))
    return draft && now - draft.at < maxAgeMs ? draft : null
  } catch {
    return null
  }
}

/** Keeps the newest 20. @returns whether it is kept: a browser may refuse, or have no space */
export function keepDraft(key: DraftKey, draft: Omit<KeptDraft, 'at'>, now = Date.now()): boolean {
  const text = JSON.stringify({ ...draft, at: now })
  if (text.length > maxCharacters) return false
  try {
    const name = nameOf(key)
    if (localStorage.getItem(name) === null) prune(now)
    localStorage.setItem(name, text)
    return true
  } catch {
    return false
  }
}

export function dropDraft(key: DraftKey): void {
  removeItem(nameOf(key))
}

/** On sign-out: the next user of the device finds nothing. */
export function dropAllDrafts(): void {
  for (const name of names()) removeItem(name)
}

/** Leaves space for one more. */
function prune(now: number): void {
  const dated = names()
    .map((name) => ({ name, at: parsed(localStorage.getItem(name))?.at ?? 0 }))
    .toSorted((a, b) => b.at - a.at)
  for (const [index, { name, at }] of dated.entries())
    if (index >= maxDrafts - 1 || now - at >= maxAgeMs) removeItem(name)
}

function names(): readonly string[] {
  try {
    return Object.keys(localStorage).filter((name) => name.startsWith(prefix))
  } catch {
    return []
  }
}

function removeItem(name: string): void {
  try {
    localStorage.removeItem(name)
  } catch {
    // A browser that refuses storage has kept nothing.
  }
}

/** Without a schema library, which would be most of the first load. */
function parsed(text: string | null): KeptDraft | null {
  if (text === null) return null
  try {
    const draft: unknown = JSON.parse(text)
    return isKept(draft) ? draft : null
  } catch {
    return null
  }
}

function isKept(draft: unknown): draft is KeptDraft {
  if (typeof draft !== 'object' || draft === null) return false
  const { fields, revision, at } = draft as Partial<Record<keyof KeptDraft, unknown>>
  return (
    typeof at === 'number' &&
    (revision === null || Number.isInteger(revision)) &&
    typeof fields === 'object' &&
    fields !== null &&
    Object.values(fields).every((value) => typeof value === 'string')
  )
}
