/** The commands of a discussion: they need to know the post, and who sees it. */
import { includesClient, isForAllClients } from '../../../domain/agency/roles.ts'
import type { Agency } from '../../../domain/agency/state.ts'
import { memberOf } from '../../../domain/agency/team-state.ts'
import type { Actor, Instant } from '../../../domain/core/event.ts'
import type { Commented } from '../../../domain/discussion/anchor.ts'
import type { DiscussionCommand } from '../../../domain/discussion/commands.ts'
import { discussionDecider, type DiscussionContext } from '../../../domain/discussion/decider.ts'
import type { Post } from '../../../domain/post/state.ts'
import { AggregateScope } from '../../core/aggregates.ts'
import type { CommandHandler } from '../../core/command-handler.ts'
import type { DiscussionCommands } from '../../core/commands.ts'
import { discussionStream, loadAgency, loadDiscussion, loadPost } from '../../core/load.ts'

function contextOf(
  command: DiscussionCommand,
  { team, clients }: Agency,
  post: Post,
  actor: Actor,
  now: Instant,
  seen: Commented = post,
): DiscussionContext {
  const isThere = post.exists && !post.deleted && post.clientId in clients
  const member = actor.type === 'user' ? memberOf(team, actor.id) : null
  const seesIt = (memberId: string) =>
    Object.values(team.members).some(
      ({ id, clients: scope }) => id === memberId && includesClient(scope, post.clientId),
    )
  return {
    now,
    actor,
    mayModerate: member !== null && isForAllClients(member.role),
    post: isThere ? seen : null,
    unfitMentions: 'mentions' in command ? command.mentions.filter((memberId) => !seesIt(memberId)) : [],
  }
}

export const discussionCommands = (handler: CommandHandler): DiscussionCommands => ({
  discussion: async (postId, command, by, scope = new AggregateScope(handler.streams), seen) => {
    const [{ state: before }] = await Promise.all([loadPost(scope, postId), loadAgency(scope, by.agencyId)])
    return handler.handle({
      stream: discussionStream(postId),
      decider: discussionDecider,
      command,
      by,
      clientId: before.clientId || null,
      scope,
      contextOf: async (_, now) => {
        const [agency, post] = await Promise.all([loadAgency(scope, by.agencyId), loadPost(scope, postId)])
        return contextOf(command, agency.state, post.state, by.actor, now, seen)
      },
    })
  },
  loadDiscussion: (postId, from = handler.streams) => loadDiscussion(from, postId),
})
