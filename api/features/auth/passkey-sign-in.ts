/** Signs in with a passkey: alone, where it verified the user, or as the second step after a password. */
import type { UsedPasskey } from '../../contract/passkeys.ts'
import { sourceOf } from '../../core/source.ts'
import type { Handlers } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { completer } from './completed.ts'
import type { PasskeyParty } from './passkey-party.ts'
import { refuseWithoutParty } from './passkey-routes.ts'
import { signInOver, waiting, type SecondStepPorts } from './second-step.ts'
import { userReplyOf, type UserRecord } from './users.ts'

interface Ports extends SecondStepPorts {
  readonly passkeyParty: PasskeyParty
}

/** The same for an unknown passkey and for each kind of wrong answer. */
const refused = () =>
  new Problem(401, 'passkey-refused', "That passkey didn't work here. Try again, or sign in with your password.")

export const passkeySignInHandlers = (ports: Ports): Handlers<'askPasskey' | 'usePasskey'> => {
  const { users, sessions, factors, pendingSignIns, passkeyParty, accountLimits, securityLog, clock } = ports
  const complete = completer(ports)

  /** The account of a passkey that signed the challenge; null for any other answer. */
  async function signer(response: UsedPasskey, challenge: string, userId: string | null): Promise<UserRecord | null> {
    const { userHandle } = response.response
    const named = userHandle ? Buffer.from(userHandle, 'base64url').toString() : null
    const user = await users.get(userId ?? named ?? '')
    if (!user || (named !== null && named !== user.id)) return null
    const passkey = (await factors.get(user.id)).passkeys?.find(({ id }) => id === response.id)
    if (!passkey) return null
    // After a password the passkey is the second factor; alone it must be both.
    const counter = await passkeyParty.usedCounter(response, passkey, challenge, userId === null)
    if (counter === null) return null
    const changed = await factors.change(user.id, (record) => {
      const known = record.passkeys?.find(({ id }) => id === passkey.id)
      // Two answers with the same count: one of them is of a copy.
      if (!known || (counter > 0 && counter <= known.counter)) return null
      const used = { ...known, counter, usedAt: clock.now() }
      return { ...record, passkeys: (record.passkeys ?? []).map((each) => (each.id === known.id ? used : each)) }
    })
    return changed && user
  }

  return {
    async askPasskey(ask) {
      refuseWithoutParty(passkeyParty)
      await accountLimits.usingPasskey(sourceOf(ask.address))
      if (ask.body.step === 'first') {
        const options = await passkeyParty.requestOptions([])
        return { body: { ...options }, signIn: await pendingSignIns.start(null, options.challenge) }
      }
      const { pending, user } = await waiting(ports, ask.signIn)
      const { passkeys = [] } = await factors.get(user.id)
      if (passkeys.length === 0) throw signInOver()
      const options = await passkeyParty.requestOptions(passkeys)
      if (!(await pendingSignIns.challenge(pending, options.challenge))) throw signInOver()
      return { body: { ...options } }
    },

    usePasskey: (ask) =>
      securityLog.watch('passkey-sign-in', ask, async (subject) => {
        refuseWithoutParty(passkeyParty)
        await accountLimits.usingPasskey(sourceOf(ask.address))
        const pending = await pendingSignIns.find(ask.signIn)
        if (!pending) throw signInOver()
        if (pending.userId !== null) await waiting(ports, ask.signIn)
        const challenge = await pendingSignIns.takeChallenge(pending)
        const user = challenge === null ? null : await signer(ask.body.response, challenge, pending.userId)
        subject.userId = user?.id ?? pending.userId ?? undefined
        if (!user) throw refused()
        if (!(await pendingSignIns.end(pending))) throw signInOver()
        if (ask.session) await sessions.end(ask.session.id)
        const way = pending.userId === null ? 'passkey' : (pending.way ?? 'password')
        const signedIn = await complete(user, { ...ask, way, wish: ask.body.agencyId }, signInOver)
        return { body: userReplyOf(user), ...signedIn, signIn: null }
      }),
  }
}
