/** The approval steps of a post. */
import type { Post, PostStep } from '../../api/contract/index.ts'

export const openStepOf = (steps: Post['steps']): PostStep | undefined => steps?.find(({ state }) => state === 'open')
