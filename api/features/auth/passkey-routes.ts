/** A user adds, renames and removes passkeys. */
import { createHash } from 'node:crypto'
import { later, type Clock } from '../../core/clock.ts'
import { maxPasskeys } from '../../contract/limits.ts'
import type { Passkey } from '../../contract/passkeys.ts'
import type { Handlers } from '../../http/handler.ts'
import { notFound, Problem } from '../../http/problem.ts'
import { withFirstCodes, withoutUseless, type FactorsRecord } from './factors.ts'
import { factorMail } from './mails.ts'
import { refuseUnconfirmed, teller, type AccountPorts } from './own-account.ts'
import { ownActs } from './own-acts.ts'
import type { PasskeyParty, StoredPasskey } from './passkey-party.ts'
import { pendingSignInMs } from './pending-sign-ins.ts'

export interface PasskeyPorts extends AccountPorts {
  readonly passkeyParty: PasskeyParty
  readonly clock: Clock
}

type Names = 'beginPasskey' | 'addPasskey' | 'renamePasskey' | 'removePasskey'

/** Names a passkey in the API: a credential's own id may have a thousand bytes. */
const shownIdOf = (id: string): string => createHash('sha256').update(id).digest('base64url').slice(0, 22)

export const passkeyReplyOf = ({ id, name, addedAt, usedAt }: StoredPasskey): Passkey => ({
  id: shownIdOf(id),
  name,
  addedAt,
  usedAt,
})

/** @throws Problem 409 */
export function refuseWithoutParty({ unavailable }: PasskeyParty): void {
  if (unavailable !== null)
    throw new Problem(409, 'no-passkeys', `Passkeys don't work here: ${noPasskeysSentence[unavailable]}`)
}
const noPasskeysSentence = {
  'ip-address': 'this server has an IP address in place of a name.',
  'not-https': 'this server is not reached by https.',
}

const tooManyPasskeys = () =>
  new Problem(409, 'too-many-passkeys', `You have ${maxPasskeys} passkeys already. Remove one to add another.`)
const refused = () =>
  new Problem(403, 'passkey-refused', "That passkey couldn't be added. Nothing was changed; please begin again.")

export const passkeyHandlers = (ports: PasskeyPorts): Handlers<Names> => {
  const { factors, passkeyParty, securityLog, publicUrl, clock } = ports
  const { proven, completing } = ownActs(ports)
  const tell = teller(ports)

  /** The challenge of the passkey that is being added: returned once, for five minutes. */
  async function takeChallenge(userId: string): Promise<string | null> {
    let taken: FactorsRecord['passkeySetUp'] = null
    await factors.change(userId, (record) => {
      taken = record.passkeySetUp ?? null
      return taken && { ...record, passkeySetUp: null }
    })
    const found = taken as FactorsRecord['passkeySetUp']
    return found && found.expiresAt > clock.now() ? found.challenge : null
  }

  return {
    async beginPasskey(ask) {
      refuseWithoutParty(passkeyParty)
      return proven('begin-passkey', ask, async (user) => {
        refuseUnconfirmed(user)
        const { passkeys = [] } = await factors.get(user.id)
        if (passkeys.length >= maxPasskeys) throw tooManyPasskeys()
        const options = await passkeyParty.creationOptions(user, passkeys)
        const passkeySetUp = { challenge: options.challenge, expiresAt: later(clock.now(), pendingSignInMs) }
        await factors.change(user.id, (record) => ({ ...record, passkeySetUp }))
        return { body: { ...options } }
      })
    },

    addPasskey: (ask) =>
      completing('add-passkey', ask, async (user) => {
        const challenge = await takeChallenge(user.id)
        const created = challenge === null ? null : await passkeyParty.created(ask.body.response, challenge)
        if (!created) throw refused()
        const passkey: StoredPasskey = { ...created, name: ask.body.name, addedAt: clock.now(), usedAt: null }
        const asker = { source: user.id, isKnown: true }
        const fresh = await factors.firstCodes(await factors.get(user.id), asker)
        const changed = await factors.change(user.id, ({ passkeys = [], ...record }) =>
          passkeys.length >= maxPasskeys || passkeys.some(({ id }) => id === passkey.id)
            ? null
            : { ...withFirstCodes(record, fresh), passkeys: [...passkeys, passkey] },
        )
        if (!changed) throw tooManyPasskeys()
        await tell(user, 'passkey-added', factorMail(user.email, publicUrl, 'passkey-added'))
        const recoveryCodes = [...(await factors.codesToShow(changed, fresh, asker))]
        return { body: { passkey: passkeyReplyOf(passkey), recoveryCodes } }
      }),

    renamePasskey: (ask) =>
      securityLog.watch('rename-passkey', ask, async (subject) => {
        const { userId } = ask.session
        subject.userId = userId
        const renamed = await factors.change(userId, (record) => {
          const passkeys = record.passkeys?.map((each) =>
            shownIdOf(each.id) === ask.params.id ? { ...each, name: ask.body.name } : each,
          )
          return passkeys?.some(({ id }) => shownIdOf(id) === ask.params.id) ? { ...record, passkeys } : null
        })
        const passkey = renamed?.passkeys?.find(({ id }) => shownIdOf(id) === ask.params.id)
        if (!passkey) throw notFound('This passkey')
        return { body: passkeyReplyOf(passkey) }
      }),

    removePasskey: (ask) =>
      proven('remove-passkey', ask, async (user) => {
        const removed = await factors.change(user.id, (record) => {
          const passkeys = record.passkeys?.filter(({ id }) => shownIdOf(id) !== ask.params.id)
          return passkeys && passkeys.length < (record.passkeys?.length ?? 0)
            ? withoutUseless({ ...record, passkeys })
            : null
        })
        if (!removed) throw notFound('This passkey')
        await tell(user, 'passkey-removed', factorMail(user.email, publicUrl, 'passkey-removed'))
        return {}
      }),
  }
}
