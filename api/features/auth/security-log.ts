/**
 * Writes one structured line per act on an account, done or refused (OWASP ASVS 5.0, V16.3). A line has the act, its
 * outcome, the client's address, and the user's id or, where that is unknown, a keyed hash of the email address. It
 * never has a password, a token, a cookie or an email address. A flood writes a bounded number of lines; the others
 * are counted.
 */
import { createHmac, hkdfSync } from 'node:crypto'
import type { Logger } from 'pino'
import { Problem } from '../../http/problem.ts'
import { LineBudget, type Suppressed } from '../../core/line-budget.ts'
import { sourceOf } from '../../core/source.ts'

export type AccountAct =
  | 'register'
  | 'sign-in'
  | 'sign-out'
  | 'sign-out-everywhere'
  | 'end-session'
  | 'end-other-sessions'
  | 'ask-reset-link'
  | 'reset-password'
  | 'change-password'
  | 'ask-email-change'
  | 'confirm-email'
  | 'erase-account'
  | 'ask-address-link'
  | 'confirm-address'
  | 'second-factor'
  | 'begin-app'
  | 'add-app'
  | 'remove-app'
  | 'renew-recovery-codes'
  | 'begin-factors-reset'
  | 'reset-factors'
  | 'passkey-sign-in'
  | 'begin-passkey'
  | 'add-passkey'
  | 'rename-passkey'
  | 'remove-passkey'
  | 'oidc-sign-in'
  | 'begin-oidc-link'
  | 'begin-oidc-confirm'
  | 'link-oidc'
  | 'remove-oidc-link'

/** `refused`: by a rule, a limit or a wrong password. `failed`: a store failed, or the outcome is unknown. */
type Outcome = 'done' | 'refused' | 'failed'

/** The account concerned, filled in as it becomes known. */
export interface Subject {
  userId?: string | undefined
  /** Never logged itself: without a user id, the log has a keyed hash of it. */
  email?: string | undefined
}

interface Asked {
  readonly address: string
  readonly requestId: string
}

/** Permanent changes of an account. Their lines have a budget of their own, so that no flood hides them. */
const changes: ReadonlySet<AccountAct> = new Set([
  'sign-out-everywhere',
  'end-session',
  'end-other-sessions',
  'reset-password',
  'change-password',
  'confirm-email',
  'erase-account',
  'confirm-address',
  'add-app',
  'remove-app',
  'renew-recovery-codes',
  'reset-factors',
  'add-passkey',
  'remove-passkey',
  'link-oidc',
  'remove-oidc-link',
])

const budgets = {
  refused: { perSource: 10, inAll: 120 },
  changed: { perSource: 30, inAll: 120 },
  other: { perSource: 30, inAll: 120 },
} as const
type Kind = keyof typeof budgets

export class SecurityLog {
  readonly #log: Logger
  readonly #key: Buffer
  readonly #budgets: Readonly<Record<Kind, LineBudget>>

  /** @param secret keys the hash of unknown accounts; the same in all processes that share it */
  constructor(log: Logger, secret: string) {
    // Logs at every level but `silent`: the operator's choice of verbosity must not hide security events.
    this.#log = log.child({}, { level: log.level === 'silent' ? 'silent' : 'info' })
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'accounts in the log', 32))
    const budget = (kind: Kind) => new LineBudget(budgets[kind], (suppressed) => this.#suppressed(kind, suppressed))
    this.#budgets = { refused: budget('refused'), changed: budget('changed'), other: budget('other') }
  }

  /** Runs an act and writes its line. @param run fills in the account concerned @throws what `run` throws */
  async watch<T>(act: AccountAct, asked: Asked, run: (subject: Subject) => Promise<T>): Promise<T> {
    const subject: Subject = {}
    try {
      const result = await run(subject)
      this.done(act, sourceOf(asked.address), subject, asked.requestId)
      return result
    } catch (error) {
      const isRefused = error instanceof Problem && error.status < 500
      const reason = error instanceof Problem ? error.type : error instanceof Error ? error.name : 'unknown'
      this.#write(act, isRefused ? 'refused' : 'failed', sourceOf(asked.address), {
        ...this.#whose(subject),
        reason,
        correlationId: asked.requestId,
      })
      throw error
    }
  }

  /** @param source an address, or the name of the operator's command */
  done(act: AccountAct, source: string, subject: Subject, correlationId?: string): void {
    this.#write(act, 'done', source, { ...this.#whose(subject), ...(correlationId !== undefined && { correlationId }) })
  }

  /** Logs the counts of suppressed lines. */
  close(): void {
    for (const budget of Object.values(this.#budgets)) budget.end()
  }

  #write(act: AccountAct, outcome: Outcome, source: string, about: object): void {
    const kind: Kind = outcome === 'refused' ? 'refused' : changes.has(act) ? 'changed' : 'other'
    if (!this.#budgets[kind].mayWrite(source)) return
    this.#log[outcome === 'done' ? 'info' : 'warn']({ security: act, outcome, ...about, source }, `${act} ${outcome}`)
  }

  #whose({ userId, email }: Subject): object {
    if (userId !== undefined) return { userId }
    return email === undefined
      ? {}
      : { account: createHmac('sha256', this.#key).update(email).digest('hex').slice(0, 16) }
  }

  #suppressed(kind: Kind, { lines, sources, most }: Suppressed): void {
    this.#log.warn(
      { security: 'suppressed', kind, lines, sources, most: most.map(([source, count]) => ({ source, lines: count })) },
      'Suppressed lines about accounts within a minute',
    )
  }
}
