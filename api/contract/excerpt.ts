/** A module of its own: the post lists load it at once, and `index.ts` brings zod, which they need later. */
export { excerptOf } from '../../projections/core/excerpt.ts'
