/** The post's commands. */
import { isRefused } from '../../../domain/core/decider.ts'
import { postDecider } from '../../../domain/post/decider.ts'
import { AggregateScope } from '../../core/aggregates.ts'
import type { Clock } from '../../core/clock.ts'
import type { CommandHandler } from '../../core/command-handler.ts'
import type { PostCommands } from '../../core/commands.ts'
import { loadAgency, loadPost, postStream } from '../../core/load.ts'
import { approvalOf } from './change-command.ts'
import { contextFromStreams, contextOfCommand, type PostContextPorts } from './command-context.ts'

export interface PostCommandPorts extends PostContextPorts {
  readonly clock: Clock
}

export function postCommands(handler: CommandHandler, ports: PostCommandPorts): PostCommands {
  const newScope = () => new AggregateScope(handler.streams)
  return {
    post: async (postId, command, by, scope = newScope()) => {
      const [{ state: before }] = await Promise.all([loadPost(scope, postId), loadAgency(scope, by.agencyId)])
      // The first command names the post's client; for later ones it is the post's own.
      const clientId = command.type === 'WritePost' ? command.clientId : before.clientId || null
      return handler.handle({
        stream: postStream(postId),
        decider: postDecider,
        command,
        by,
        clientId,
        scope,
        contextOf: (post, now) => {
          const accountId = command.type === 'WritePost' ? command.accountId : post.accountId
          const of = { agencyId: by.agencyId, clientId, accountId, actor: by.actor }
          return contextOfCommand(ports, command, post, of, scope, now)
        },
      })
    },
    loadPost: (postId, from = handler.streams) => loadPost(from, postId),
    judge: async (command, { agencyId, actor }, scope = newScope()) => {
      const { clientId, accountId } = command
      const [context, { state }] = await Promise.all([
        contextFromStreams({ agencyId, clientId, accountId, actor }, scope, ports.clock.now()),
        loadPost(scope, command.postId),
      ])
      const decision = postDecider.decide(state, command, context)
      return isRefused(decision) ? decision : { isNew: decision.length > 0 }
    },
    judgeApproval: async (postId, { agencyId, actor }, scope) => {
      const { state } = await loadPost(scope, postId)
      const of = { agencyId, clientId: state.clientId || null, accountId: state.accountId, actor }
      const context = await contextFromStreams(of, scope, ports.clock.now())
      const decision = postDecider.decide(state, approvalOf(state.round), context)
      return isRefused(decision) ? decision : null
    },
  }
}
