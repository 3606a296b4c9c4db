import { roles } from '../../api/composition/distributed.ts'
import { members, type Member } from './cluster.ts'

/**
 * Processes to kill, in random order: each of the six once before any is repeated, and one of each role in each group
 * of three.
 */
export function* victims(random: () => number): Generator<Member, never> {
  for (;;) {
    const pairs = roles.map((role) =>
      shuffled(
        members.filter((member) => member.startsWith(role)),
        random,
      ),
    )
    for (const turn of [0, 1])
      yield* shuffled(
        pairs.flatMap((pair) => pair.slice(turn, turn + 1)),
        random,
      )
  }
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const keyed = list.map((one) => ({ one, key: random() }))
  return keyed.sort((left, right) => left.key - right.key).map(({ one }) => one)
}
