/** The approval policy of a client. */
import { answeredPolicy, noApprovalPolicy } from '../../../domain/core/approval-policy.ts'
import type { Commands } from '../../core/commands.ts'
import { accepted, type Handlers } from '../../http/handler.ts'
import { mustHaveClient } from './routes.ts'

interface Ports {
  readonly commands: Commands
}

export const approvalPolicyHandlers = ({ commands }: Ports): Handlers<'getApprovalPolicy' | 'setApprovalPolicy'> => ({
  async getApprovalPolicy(ask) {
    await mustHaveClient(ask, ask.params.id)
    const { state } = await commands.loadClient(ask.params.id, ask.aggregates)
    return { body: answeredPolicy(state.approvalPolicy ?? noApprovalPolicy) }
  },

  async setApprovalPolicy(ask) {
    const { by, body: policy, params, visible } = ask
    await mustHaveClient(ask, params.id)
    const { state, appendedEvents } = accepted(
      await commands.client(params.id, { type: 'SetApprovalPolicy', policy }, by),
    )
    await visible(appendedEvents)
    return { body: answeredPolicy(state.approvalPolicy ?? noApprovalPolicy) }
  },
})
